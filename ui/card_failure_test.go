package ui_test

import (
	"strings"
	"testing"
	"time"

	"goated/agent"
	"goated/ui"
	"goated/ui/view"
)

// A failed card leads to the log of its server and to the messages of its call. Before, the
// user had to search for the server, and for the call among all messages.
func TestFailedCardLeadsToLogAndMessages(t *testing.T) {
	host, rec := recorded(t)
	rec.Record(true)
	d := hosted(t, ui.Options{Host: host, Pages: ui.PageOptions{Recorder: rec}})
	d.connect(echoServer(t))
	d.connected()
	call := func(text string) {
		for e := range host.Tools() {
			if strings.HasSuffix(e.Name, "__echo") {
				if _, err := host.Call(t.Context(), e.Name, map[string]any{"text": text}, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	call("an earlier one")
	began := time.Now()
	call("the failed one")
	call("a later one")
	id := host.Snapshot().Servers[0].ID
	failed := func(server string) view.Chat {
		return view.Chat{}.Say("go").Apply(agent.ToolCalled{ID: "1", Server: server, Tool: "echo"}).
			Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, At: began}).
			Apply(agent.ToolReturned{ID: "1", Error: "it broke"}).Apply(agent.TurnEnded{Reason: agent.Done})
	}
	d.window.ShowChat(failed("gone"), false)
	d.Press("echo")
	if d.Pressable("Open log") {
		t.Error("the card offers the log of a server that is gone")
	}
	d.window.ShowChat(failed(id), false)
	d.Press("Open log")
	d.sees("The server has written nothing yet. Its stderr appears here as it is written.")
	d.closeSheets()
	d.Press("Show in Inspector")
	d.until("the call is shown", func() bool { return d.Pressable("Copy as goated call") })
	d.Press("Copy as goated call")
	if got := d.Clipboard(); !strings.Contains(got, "the failed one") {
		t.Errorf("the Inspector shows %s", got)
	}
}
