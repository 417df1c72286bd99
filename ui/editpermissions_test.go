package ui_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/ui"
)

// An editing is a window with the form of a running server that has a folder among its
// arguments.
type editing struct {
	*desk
	host   *client.Host
	launch config.Launch
	folder string
}

// editingServer returns an editing whose server has the settings that change makes.
func editingServer(t *testing.T, change func(l *config.Launch)) *editing {
	t.Helper()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	folder := filepath.Join(t.TempDir(), "Notes")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	host := client.New(client.Options{Unconfined: unconfined})
	t.Cleanup(host.Close)
	l := config.Launch{Name: "Echo", Command: python, Args: []string{echoServer(t), folder}}
	change(&l)

	d := hosted(t, ui.Options{Host: host, Settings: config.Settings{}.WithRecent(l).WithStart(l, true)})
	if _, err := host.Connect(t.Context(), client.Config{Name: l.Name, Command: l.Command, Args: l.Args, NoSandbox: l.NoSandbox, Grant: l.Allowed.Grant(), Unconfined: true}); err != nil {
		t.Fatal(err)
	}
	d.until("the sidebar counts the server", func() bool { return d.After("Tools") == "1" })
	d.Press("Tools")
	d.sees("Ready")
	e := &editing{d, host, l, folder}
	e.edit()
	return e
}

// edit opens the form.
func (e *editing) edit() {
	e.T.Helper()
	if e.Icons("pencil") == 0 {
		e.Press(e.launch.Name)
	}
	e.PressIcon("pencil")
	e.until("the form is filled", func() bool { return e.Reads("Edit "+e.launch.Name) && e.Field(scriptField) != "" })
}

// The form said "Its own folder only" for a server that may change more, and offered
// permissions that the server already had.
func TestTheEditSheetSaysWhatTheServerMayDoAlready(t *testing.T) {
	e := editingServer(t, func(l *config.Launch) {
		l.Allowed = sandbox.Permissions{{Kind: sandbox.ToWrite, Path: l.Args[1]}, {Kind: sandbox.ToHost, Host: "example.org"}, {Kind: sandbox.ToBrowser}}
	})
	for _, want := range []string{"Its own folder, " + e.folder, "example.org, which you allowed. goated asks about other hosts.", "Run a browser"} {
		if !e.Reads(want) {
			t.Errorf("the form does not say %q: %q", want, e.Texts())
		}
	}
	if e.Reads("Let it change " + e.folder) {
		t.Error("the form offers what the server has")
	}
	e.Enter(scriptField, "node "+e.launch.Args[0]) // another program has none of these permissions
	e.sees("Its own folder only")
}

// The form promised a sandbox for a server that runs without one.
func TestTheEditSheetSaysThatTheServerHasNoSandbox(t *testing.T) {
	e := editingServer(t, func(l *config.Launch) { l.NoSandbox = true })
	if e.Says("In the sandbox") || !e.Says("It runs without the sandbox, as you chose.") {
		t.Errorf("the form says %q", e.Texts())
	}
}

// "Let it change X" had no effect: the form silently closed, or restarted the server with its
// old permissions.
func TestTheEditSheetLetsARunningServerChangeItsFolder(t *testing.T) {
	e := editingServer(t, func(*config.Launch) {})
	e.Press("Let it change " + e.folder)
	e.Press("Save and restart")
	want := sandbox.Permission{Kind: sandbox.ToWrite, Path: e.folder}
	e.server("may change the folder", func(s client.Server) bool {
		c, _ := e.host.Config(s.ID)
		return s.Status == client.Connected && c.Grant.Permissions().Has(want)
	})
	e.until("that is saved", func() bool {
		s := e.saved.get().Launch
		return len(s) == 1 && s[0].Allowed.Has(want)
	})
	e.edit()
	e.sees("Its own folder, " + e.folder)
}
