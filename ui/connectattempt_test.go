package ui_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/ui"
)

// brokenServer is a script that fails.
func brokenServer(t *testing.T, name string) string {
	t.Helper()
	return scriptOf(t, name, "import no_such_module_at_all\n")
}

// repair replaces a script with the server that has two tools.
func repair(t *testing.T, script string) {
	t.Helper()
	echo, err := os.ReadFile(echoServer(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, echo, 0o600); err != nil {
		t.Fatal(err)
	}
}

// reloading returns a window whose host restarts servers when their scripts change.
func reloading(t *testing.T) *desk {
	t.Helper()
	host := client.New(client.Options{Unconfined: unconfined, Process: client.ProcessOptions{Reload: true}})
	t.Cleanup(host.Close)
	return hosted(t, ui.Options{Host: host})
}

// failed waits until the sheet shows why its server failed.
func (d *desk) failed() {
	d.T.Helper()
	d.until("the start fails", func() bool { return d.Pressable("Add and start") && d.Says("Failed to start server") })
}

// A server whose first start failed was never saved, even after goated restarted it with its
// repaired script. Its row was on, but disappeared at the next start of goated.
func TestAServerThatFailsFirstIsSaved(t *testing.T) {
	d := reloading(t)
	script := scriptOf(t, "syntax.py", "def broken(:\n")
	d.connect(script)
	d.failed()
	d.until("it is saved", func() bool { return d.saved.get().StartsServer(config.Launch{Path: script}) })
	d.Key(fyne.KeyEscape)
	repair(t, script)
	d.sees("syntax restarted, because its script changed")
	if s := d.saved.get(); len(s.Launch) != 1 || s.Launch[0].Off {
		t.Errorf("saved is %+v", s.Launch)
	}
}

// A failed server is saved. A server with a typing error would otherwise start and fail each
// time goated starts.
func TestACorrectedServerReplacesTheFailedOne(t *testing.T) {
	d := hosted(t, ui.Options{})
	script := filepath.Join(t.TempDir(), "weather.py")
	repair(t, script)
	wrong := filepath.Join(filepath.Dir(script), "weathr.py")
	d.connect("python3 " + wrong)
	d.failed()
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	d.Enter(scriptField, "python3 "+script)
	d.Press("Add and start")
	d.until("the sheet closes", func() bool { return !d.connecting() })
	d.server("is the corrected one", func(s client.Server) bool { return s.Status == client.Connected && s.Args[0] == script })
	d.until("only that is saved, and the other is a recent one", func() bool {
		s := d.saved.get()
		return len(s.Launch) == 1 && s.Launch[0].Args[0] == script && len(s.Recent) == 2
	})
}

// Adding another server on the same sheet does not replace the one that failed.
func TestAnotherServerKeepsTheFailedOne(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.connect(brokenServer(t, "broken.py"))
	d.failed()
	d.Enter(scriptField, echoServer(t))
	d.Press("Add and start")
	d.until("the sheet closes", func() bool { return !d.connecting() })
	d.until("both are saved", func() bool { return len(d.saved.get().Launch) == 2 })
}

// A failed start of a saved server does not replace its saved values.
func TestAFailedStartKeepsTheSavedValues(t *testing.T) {
	script := brokenServer(t, "broken.py")
	place := []config.Variable{{Name: "PLACE", Value: "Paris"}}
	d := hosted(t, ui.Options{Settings: config.Settings{Launch: []config.Launch{{Path: script, Env: place, Off: true}}}})
	for range 2 {
		d.connect(script)
		d.failed()
		d.Press("Add and start")
		d.failed()
		d.Key(fyne.KeyEscape)
	}
	d.until("it is on", func() bool { return d.saved.get().StartsServer(config.Launch{Path: script}) })
	if s := d.saved.get(); len(s.Launch) != 1 || !slices.Equal(s.Launch[0].Env, place) {
		t.Errorf("saved is %+v", s.Launch)
	}
}

// goated does not start a server again that never started and that the user removed from the
// list.
func TestAFailedServerThatIsRemovedIsNotSaved(t *testing.T) {
	d := hosted(t, ui.Options{})
	script := brokenServer(t, "broken.py")
	d.connect(script)
	d.failed()
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	d.PressIcon("close", 1) // the first closes the sheet
	d.sees("No server is connected yet.")
	d.sees("RECENT")
	d.until("it is not saved", func() bool { return len(d.saved.get().Launch) == 0 })
}

// A second press, such as that of a double-click, started a second server before the first one was known.
func TestTwoPressesStartOneServer(t *testing.T) {
	l := config.Launch{Name: "Echo", Path: echoServer(t)}
	d := hosted(t, ui.Options{Settings: config.Settings{}.WithRecent(l)})
	d.openConnect()
	d.sees("RECENT")
	d.Press("Connect")
	d.Press("Connect")
	d.until("it runs", func() bool { return d.host.Snapshot().Connected() > 0 })
	d.until("the sheet closes", func() bool { return !d.Reads("RECENT") })
	if s := d.host.Snapshot().Servers; len(s) != 1 {
		t.Errorf("%d servers", len(s))
	}
}

// "Change how it starts" on the Tools page added the changed server beside the failing one.
func TestAChangedServerReplacesTheFailedOne(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.connect(brokenServer(t, "broken.py"))
	d.failed()
	d.Key(fyne.KeyEscape)
	d.Press("Tools")
	d.sees("Didn't start")
	d.Press("broken")
	d.PressIcon("pencil")
	d.sees("Edit broken")
	d.until("it has the script", func() bool { return filepath.Base(d.Field(scriptField)) == "broken.py" })
	script := echoServer(t)
	d.Enter(scriptField, script)
	d.Press("Save and restart")
	d.until("the sheet closes", func() bool { return !d.Reads("Save and restart") })
	d.server("is the changed one", func(s client.Server) bool { return s.Status == client.Connected && s.Name == "echo" })
	d.until("only that is saved", func() bool { s := d.saved.get().Launch; return len(s) == 1 && s[0].Path == script })
}

// goated restarted the server of the open sheet because its script changed. The sheet stayed
// open, and Enter added the server a second time.
func TestTheSheetClosesWhenItsScriptIsRepaired(t *testing.T) {
	d := reloading(t)
	script := brokenServer(t, "weather.py")
	d.connect(script)
	d.failed()
	repair(t, script)
	d.until("the sheet closes", func() bool { return !d.connecting() })
	d.sees("Connected to weather · 2 tools")
	d.server("runs", func(s client.Server) bool { return s.Status == client.Connected })
}

// After the user has edited the field, the sheet stays open, and Enter finds the repaired
// server running.
func TestEnterDoesNotAddARepairedServerAgain(t *testing.T) {
	d := reloading(t)
	script := brokenServer(t, "weather.py")
	d.connect(script)
	d.failed()
	d.FocusField(scriptField)
	d.Key(fyne.KeyEnd)
	d.Type("x")
	d.Key(fyne.KeyBackspace)
	repair(t, script)
	was := d.server("runs", func(s client.Server) bool { return s.Status == client.Connected && s.Reloads == 1 })
	d.Key(fyne.KeyReturn)
	d.until("the sheet closes", func() bool { return !d.connecting() })
	d.sees("Connected to weather · 2 tools")
	if now := d.server("runs", func(s client.Server) bool { return s.Status == client.Connected }); now.Since != was.Since {
		t.Error("it was started again")
	}
}

// Two rows of the Tools page can be saved as one server. Turning one off also turned off the
// other for later starts.
func TestOneOfTwoRowsThatIsOffLeavesTheOther(t *testing.T) {
	d, host, l := toolsPage(t, config.Settings{})
	if _, err := host.Connect(t.Context(), client.Config{Name: l.Name, Path: l.Path, Unconfined: true}); err != nil {
		t.Fatal(err)
	}
	d.until("both are listed", func() bool { return d.Says("2 of 2 servers on") || d.Says("2 of 3 servers on") })
	d.Key(fyne.KeyHome)
	d.Key(fyne.KeySpace)
	d.until("one is left", func() bool { return len(host.Snapshot().Servers) == 1 })
	d.sees("Disconnected from Echo")
	d.window.Close() // saves the settings
	if !d.saved.get().StartsServer(l) {
		t.Error("the other does not start with goated any more")
	}
}
