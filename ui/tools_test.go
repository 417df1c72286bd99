package ui_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/config"
	"goated/internal/linked"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// toolsField is the hint of the search of the Tools page.
const toolsField = "Find a server or a tool"

// toolsPage opens the page with the echo server, which the settings start.
func toolsPage(t *testing.T, s config.Settings) (*desk, *client.Host, config.Launch) {
	host := client.New(client.Options{Unconfined: unconfined, Caches: client.CacheOptions{ToolLists: filepath.Join(t.TempDir(), "tools")}})
	t.Cleanup(host.Close)
	l := config.Launch{Name: "Echo", Path: echoServer(t)}
	s = s.WithStart(l, true)
	d := hosted(t, ui.Options{Host: host, Settings: s, Bundled: []config.Bundled{{Name: "llmem", Title: "Code map", Summary: "A map of the code."}}})
	if _, err := host.Connect(t.Context(), client.Config{Name: l.Name, Path: l.Path, Unconfined: true}); err != nil {
		t.Fatal(err)
	}
	d.until("the sidebar counts the server", func() bool { return d.After("Tools") == "1" })
	d.Press("Tools")
	d.sees("Ready")
	return d, host, l
}

// A tool that the user turns off is neither declared nor callable, now and later.
func TestAToolThatIsOffIsGone(t *testing.T) {
	d, host, l := toolsPage(t, config.Settings{})
	d.sees("1 of 2 servers on · 2 tools · " + d.between("2 tools · ", " tokens in every turn") + " tokens in every turn")
	d.Press("Echo")
	d.sees("Asks")
	d.pressSwitch("add")
	d.until("the settings have it", func() bool {
		return slices.Equal(d.saved.get().Saved(l).ToolsOff, []string{"add"})
	})
	d.sees("Off")
	for e := range host.Tools() {
		if e.Tool.Name == "add" {
			t.Error("the model still gets the tool")
		}
	}
	if _, err := host.Lookup("echo__add"); !errors.Is(err, client.ErrOff) {
		t.Errorf("looking it up: %v", err)
	}
	if _, err := host.Call(t.Context(), "echo__add", map[string]any{"a": 1, "b": 2}, nil); !errors.Is(err, client.ErrOff) {
		t.Errorf("calling it: %v", err)
	}
	if err := host.Restart(t.Context(), "echo"); err != nil {
		t.Fatal(err)
	}
	if _, err := host.Lookup("echo__add"); !errors.Is(err, client.ErrOff) {
		t.Errorf("after a restart: %v", err)
	}
	d.sees("Ready")
	d.pressSwitch("add")
	d.until("the tool is back", func() bool { _, err := host.Lookup("echo__add"); return err == nil })
	d.until("the settings have it on", func() bool { return len(d.saved.get().Saved(l).ToolsOff) == 0 })
}

// The page has keys: arrows move, Right opens, Space switches, "/" searches, and Esc returns to
// the conversation.
func TestTheToolsPageByKeys(t *testing.T) {
	d, host, l := toolsPage(t, config.Settings{})
	d.Key(fyne.KeyRight)
	d.sees("echo")
	d.Key(fyne.KeyDown) // moves to add
	d.Key(fyne.KeyDown) // moves to echo
	d.Key(fyne.KeySpace)
	d.until("the tool is off", func() bool { _, err := host.Lookup("echo__echo"); return errors.Is(err, client.ErrOff) })
	d.Key(fyne.KeyHome)
	d.Key(fyne.KeySpace)
	d.until("the server is off", func() bool {
		return len(host.Snapshot().Servers) == 0 && !d.saved.get().StartsServer(l)
	})
	d.until("its tools are remembered", func() bool { return d.Reads("It is not running. These are the tools of its last start.") })
	d.Key(fyne.KeySpace)
	d.until("the server is back", func() bool {
		s := host.Snapshot().Servers
		return len(s) == 1 && s[0].Status == client.Connected && len(s[0].Off) == 1 && d.saved.get().StartsServer(l)
	})
	d.TypeRune('/')
	if !d.FieldFocused(toolsField) {
		t.Fatal("/ does not lead to the search")
	}
	d.Type("add")
	d.until("only servers with such a tool are left", func() bool { return !d.Reads("llmem") && d.Reads("add") })
	d.Key(fyne.KeyEscape)
	d.sees("llmem") // the name that every other place shows
	d.Key(fyne.KeyEscape)
	d.Key(fyne.KeyEscape)
	d.until("the conversation is back", func() bool { return d.HasField(composer) && d.FieldFocused(composer) })
}

// An item that the user chooses in the sidebar replaces the page. Typing on the page does not
// write a message.
func TestThePageLeavesForAConversation(t *testing.T) {
	d, _, _ := toolsPage(t, config.Settings{})
	d.TypeRune('x')
	d.Ctrl(fyne.KeyReturn) // would allow a call that a conversation asks about
	d.Press("New chat")
	if !d.HasField(composer) || d.draft() != "" {
		t.Errorf("the conversation holds %q", d.Texts())
	}
	d.Ctrl(fyne.KeyT)
	d.sees("Ready")
	d.Press("Needs you 0")
	d.sees("No server needs you.")
	d.Ctrl(fyne.KeyT)
	if !d.HasField(composer) {
		t.Error("Ctrl+T does not close the page")
	}
}

// between returns the part of a text on the screen between two other texts.
func (d *desk) between(before, after string) string {
	for _, text := range d.Texts() {
		if _, rest, ok := strings.Cut(text, before); ok {
			if part, _, ok := strings.Cut(rest, after); ok {
				return part
			}
		}
	}
	return ""
}

// pressSwitch presses the switch before the title of a tool.
func (d *desk) pressSwitch(title string) {
	d.T.Helper()
	at, size, seen := d.Place(title)
	if !seen {
		d.T.Fatalf("%q is not in sight", title)
	}
	d.PressAt(at.AddXY(-28, size.Height/2), 0)
}

// The page showed "Never" for a server that had been used since the page was last drawn.
func TestToolsPageKnowsTheLastUse(t *testing.T) {
	d, host, _ := toolsPage(t, config.Settings{})
	if d.Reads("Now") {
		t.Fatal("the server is said to be used")
	}
	d.Key(fyne.KeyEscape)
	if _, err := host.Call(t.Context(), "echo__add", map[string]any{"a": 1, "b": 2}, nil); err != nil {
		t.Fatal(err)
	}
	d.Press("Tools")
	d.sees("Now")
}

// Trying a tool on the page of a server counts as a use. The list behind that page kept showing
// "Never".
func TestToolsPageKnowsOfATry(t *testing.T) {
	d, _, _ := toolsPage(t, config.Settings{})
	d.run("Try Echo")
	d.Enter("", "hello")
	d.later()
	d.Press("Run")
	d.until("the result is there", func() bool { return !d.Reads("Running…") && d.Says("Returned after ") })
	d.Key(fyne.KeyEscape)
	d.sees("Now")
}

// The page that lists the servers can also remove them, and undo the removal.
func TestAServerIsRemovedOnTheToolsPage(t *testing.T) {
	d, host, l := toolsPage(t, config.Settings{})
	d.Press("Echo")
	d.PressIcon("trash")
	d.until("the server is gone", func() bool { return len(host.Snapshot().Servers) == 0 && len(d.saved.get().Launch) == 0 })
	d.sees("Echo is removed")
	d.Press("Undo")
	d.until("the server is back", func() bool {
		s := host.Snapshot().Servers
		return len(s) == 1 && s[0].Status == client.Connected && d.saved.get().StartsServer(l)
	})
}

// One toast reports that a server is removed. When a second toast disappears, it would move
// Undo away from the pointer. The key that undoes the deletion of a conversation also undoes
// this removal, and leaves the page open.
func TestTheKeyBringsBackARemovedServer(t *testing.T) {
	d, host, l := toolsPage(t, config.Settings{})
	d.Press("Echo")
	d.PressIcon("trash")
	d.until("the server is gone", func() bool { return len(host.Snapshot().Servers) == 0 && len(d.saved.get().Launch) == 0 })
	d.sees("Echo is removed")
	d.undelete()
	d.until("the server is back", func() bool {
		s := host.Snapshot().Servers
		return len(s) == 1 && s[0].Status == client.Connected && d.saved.get().StartsServer(l)
	})
	if d.Reads("Disconnected from Echo") || d.Reads("Echo is removed") {
		t.Errorf("a toast is left: %q", d.Texts())
	}
	d.sees("Last used") // the page stays
}

// A server that never started shows the reason on the page and in its details, and that it is
// not saved. Edit puts it into the field again.
func TestAFailedServerOnTheToolsPage(t *testing.T) {
	d, host, _ := toolsPage(t, config.Settings{})
	broken := scriptOf(t, "broken.py", "raise SystemExit('the database is locked')")
	if _, err := host.Connect(t.Context(), client.Config{Path: broken, Unconfined: true}); err == nil {
		t.Fatal("it started")
	}
	d.sees("Didn't start")
	d.Press("broken")
	d.until("it says that the server is not saved", func() bool { return d.Says("goated saves a server once it has started.") })
	d.Press("Details")
	d.until("the details say why", func() bool { return d.Says("the database is locked") && d.Reads("Tools") })
	d.closeSheets()
	d.PressIcon("pencil")
	d.until("the field holds it", func() bool { return d.HasField(scriptField) && d.Field(scriptField) == broken })
	d.closeSheets()
	d.PressIcon("trash")
	d.until("it is gone", func() bool { return len(host.Snapshot().Servers) == 1 })
}

// The page promises to save a server once it has started. A restart on the page did not save
// it.
func TestARestartOnTheToolsPageSaves(t *testing.T) {
	d, host, _ := toolsPage(t, config.Settings{})
	script := scriptOf(t, "broken.py", "raise SystemExit('the database is locked')")
	if _, err := host.Connect(t.Context(), client.Config{Path: script, Unconfined: true}); err == nil {
		t.Fatal("it started")
	}
	d.sees("Didn't start")
	d.Press("broken")
	echo, err := os.ReadFile(echoServer(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, echo, 0o600); err != nil {
		t.Fatal(err)
	}
	d.until("it offers a restart", func() bool { return d.Pressable("Restart") })
	d.Press("Restart")
	d.until("it is saved", func() bool { return d.saved.get().StartsServer(config.Launch{Path: script}) })
}

// The server is also saved if goated restarted it automatically because its script changed.
func TestAServerThatGoatedRestartsIsSaved(t *testing.T) {
	d := reloading(t)
	script := brokenServer(t, "weather.py")
	if _, err := d.host.Connect(t.Context(), client.Config{Path: script, Unconfined: true}); err == nil { // as --server does
		t.Fatal("it started")
	}
	d.Press("Tools")
	d.sees("Didn't start")
	repair(t, script)
	d.until("it is saved", func() bool { return d.saved.get().StartsServer(config.Launch{Path: script}) })
}

// A server of a linked file stays in that file when the user restarts it. It used to be saved
// to goated's own settings as well, and then started twice.
func TestARestartDoesNotSaveAServerOfALinkedFile(t *testing.T) {
	script := scriptOf(t, "broken.py", "raise SystemExit('the database is locked')")
	link := config.Link{Path: filepath.Join(t.TempDir(), ".mcp.json"), Agreed: []string{linked.Mark(config.Launch{Path: script})}}
	d, host, _ := toolsPage(t, config.Settings{Linked: []config.Link{link}})
	if _, err := host.Connect(t.Context(), client.Config{Path: script, Unconfined: true}); err == nil {
		t.Fatal("it started")
	}
	d.sees("Didn't start")
	d.Press("broken")
	echo, err := os.ReadFile(echoServer(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, echo, 0o600); err != nil {
		t.Fatal(err)
	}
	d.until("it offers a restart", func() bool { return d.Pressable("Restart") })
	if d.Says("goated saves a server once it has started.") {
		t.Error("it says that goated saves the server")
	}
	d.Press("Restart")
	d.sees("broken restarted")
	d.window.Close() // saves the settings
	if d.saved.get().StartsServer(config.Launch{Path: script}) {
		t.Error("it is saved")
	}
}

// A saved server whose script is gone shows this in its row. The row used to say "Not running",
// and the window never gave the reason.
func TestASavedServerWithoutItsScriptOnTheToolsPage(t *testing.T) {
	d := hosted(t, ui.Options{Settings: config.Settings{Launch: []config.Launch{{Path: filepath.Join(t.TempDir(), "mine.py"), Off: true}}}})
	d.Press("Tools")
	d.sees("mine")
	d.Key(fyne.KeyHome)
	d.Key(fyne.KeySpace)
	d.sees("Didn't start")
	d.sees("Needs you 1")
	d.Press("mine")
	d.until("it says why", func() bool { return d.Says("mine.py. Check the path.") })
}

// The row of a server that no permission can fix offered no remedy.
func TestToolsOffersToRunWithoutTheSandbox(t *testing.T) {
	d := newDesk(t, ui.Options{})
	report := diagnosed(diagnose.SocketRefused, diagnose.Args{Subject: "/run/docker.sock", Product: "Docker"})
	d.window.ShowServers(client.Snapshot{Servers: []client.Server{{
		ID: "box", Name: "box", Path: "docker", Status: client.Failed, Err: &client.Error{Kind: client.ErrStart, Err: errors.New("boom"), Report: &report},
	}}})
	d.Press("Tools")
	d.Press("box")
	d.until("it says what to do", func() bool { return d.Says("run it without the sandbox") })
	d.Press("Run without the sandbox…")
	d.sees("Run box without the sandbox?")
}

// In a very wide window the columns of the servers stay close together in the middle.
func TestServersStayReadableInAWideWindow(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowServers(samplechat.Servers())
	d.Window.Resize(fyne.NewSize(2560, 1300))
	d.run("Tools")
	name, _, _ := d.Place("Server")
	on, size, _ := d.Place("On")
	left, right := name.X-sidebarWidth, 2560-on.X-size.Width
	if wide := on.X + size.Width - name.X; wide > 1120 || left < right-120 || left > right+120 {
		t.Errorf("the columns are %.0f wide, %.0f from the left and %.0f from the right", wide, left, right)
	}
}

// In a window that became narrower, the sentence of an open server takes more lines. Its tools
// used to cover the next server.
func TestAnOpenServerFitsAWindowThatBecomesNarrower(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowServers(samplechat.Servers())
	d.Window.Resize(fyne.NewSize(1280, 840))
	d.run("Tools")
	d.Press("filesystem")
	below := func() float32 { // how far the buttons of the open server are below its row
		row, _, _ := d.Place("filesystem")
		at, _, _ := d.Place("Details")
		return at.Y - row.Y
	}
	beside := below()
	d.Window.Resize(fyne.NewSize(800, 840))
	if below() < beside+20 { // the sentence had six lines beside them
		t.Errorf("the buttons stay %v below the row, beside a narrow sentence", below())
	}
	next, _, _ := d.Place("metrics")
	d.Press("filesystem")
	d.Press("filesystem")
	if want, _, _ := d.Place("metrics"); next != want {
		t.Errorf("the next server is at %v, and after the server opened again at %v", next, want)
	}
}
