package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/inspect"
	"goated/internal/servertest"
	"goated/servers/llmem"
	"goated/servers/llmem/browse"
	"goated/ui"
)

// recorded returns a host and the recorder that receives the host's messages.
func recorded(t *testing.T) (*client.Host, *inspect.Recorder) {
	t.Helper()
	rec := new(inspect.Recorder)
	host := client.New(client.Options{Unconfined: unconfined, Trace: client.TraceOptions{Listening: rec.On, Report: func(e client.TraceEvent) {
		rec.Add(inspect.Frame{Server: e.Server, Sent: e.Direction == client.Sent, Noise: e.Noise, Time: e.Time, Data: e.Data, Size: e.Size})
	}}})
	t.Cleanup(host.Close)
	return host, rec
}

// The inspector records from the time when it was opened, even while the user chats. Its key
// opens and closes it, and Esc closes it. A call in it can be copied as a command.
func TestInspectorFollowsAConversation(t *testing.T) {
	host, rec := recorded(t)
	d := hosted(t, ui.Options{Host: host, Pages: ui.PageOptions{Recorder: rec}})
	d.connect(echoServer(t))
	d.connected()
	if rec.On() || rec.Log().Total().Frames > 0 {
		t.Error("the inspector records before it was opened")
	}
	d.Shortcut(fyne.KeyI, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
	d.sees("Waiting for messages")
	d.Key(fyne.KeyEscape)
	if d.Reads("Waiting for messages") || !rec.On() {
		t.Error("Esc does not leave the page, or it ends the recording")
	}
	for e := range host.Tools() {
		if strings.HasSuffix(e.Name, "__echo") {
			if _, err := host.Call(t.Context(), e.Name, map[string]any{"text": "a secret garden"}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	d.Press("Inspector")
	d.until("the call is listed", func() bool { return d.Reads("tools/call") && d.Count("echo") > 1 })
	d.Press("tools/call")
	d.Press("Copy as goated call")
	if got := d.Clipboard(); !strings.HasPrefix(got, "goated call echo --args '") || !strings.Contains(got, "a secret garden") || !strings.Contains(got, "--server ") {
		t.Errorf("copied %s", got)
	}
	d.Press("New chat")
	if d.Reads("Errors only") {
		t.Error("the page covers a new chat")
	}
}

// The page of artifacts shows a folder, and Esc closes it.
func TestArtifactsOfAFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "trip.go"), []byte("package trip\n\n// Plan plans.\nfunc Plan() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := servertest.LLMemData(t)
	open := func(folder string) (browse.Workspace, error) {
		return llmem.Browse(llmem.Options{Root: folder, Data: data})
	}
	d := shown(t, ui.Options{Pages: ui.PageOptions{Browse: open, Folder: dir}})
	d.Shortcut(fyne.KeyA, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift)
	d.sees("trip.go")
	d.Press("trip.go")
	d.until("the outline is shown", func() bool { return d.Reads("Plan") && d.Says("the outline is up to date") })
	d.Key(fyne.KeyEscape)
	if d.Reads("trip.go") {
		t.Error("Esc does not leave the page")
	}
}
