package ui_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui"
	"goated/ui/view"
)

// These are the hints of fields in the sheet that connects a server.
const (
	scriptField    = "npx -y @modelcontextprotocol/server-memory"
	argumentsField = `Optional, written as in a shell: --root "My files"`
	folderField    = "Optional. Default: the folder goated was started in, or a package's own"
)

// unconfined allows servers to run in tests on systems without a sandbox.
func unconfined(context.Context, string, client.Config) bool { return true }

// hosted returns a window whose host runs servers.
func hosted(t testing.TB, o ui.Options) *desk {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	if o.Host == nil {
		o.Host = client.New(client.Options{Unconfined: unconfined})
		t.Cleanup(o.Host.Close)
	}
	return shown(t, o)
}

// echoServer returns the path of a server with two tools, in a separate folder. Beside its
// source, all of goated would be its project, and goated would read all these files at each
// start.
func echoServer(t testing.TB) string {
	t.Helper()
	return scriptOf(t, "echo.py", "")
}

// pythonPath returns the path of the Python interpreter itself. A shim in its place, such as that of
// pyenv, would read files in the home folder. Without Python, the test is skipped.
func pythonPath(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable, end='')").Output()
	if err != nil {
		t.Skip("there is no python3")
	}
	return string(out)
}

// connect fills in the sheet that connects a server, and presses its button.
func (d *desk) connect(script string) {
	d.T.Helper()
	d.openConnect()
	d.Enter(scriptField, script)
	d.Press("Add and start")
}

// enterArguments opens the fields for more arguments and fills them in.
func (d *desk) enterArguments(text string) {
	d.T.Helper()
	if !d.Reads("More arguments") {
		d.Press("Arguments, environment, folder")
	}
	d.Enter(argumentsField, text)
}

// openServer opens a page of a server.
func (d *desk) openServer(name, page string) {
	d.T.Helper()
	d.openConnect()
	d.Press(name)
	d.Press(page)
}

// connected waits until the sheet that connects a server closes and the window shows the state of
// the server, which it receives from the host a little later.
func (d *desk) connected() {
	d.T.Helper()
	d.until("the server is connected and the sheet closes", func() bool {
		all := d.host.Snapshot()
		for _, s := range all.Servers {
			if s.Status == client.Failed {
				d.T.Fatalf("%v\n%q", s.Err, s.Stderr)
			}
		}
		return !d.connecting() && d.window.ShowsServers(all)
	})
}

// server waits until the host has exactly one server and ok holds for it.
func (d *desk) server(what string, ok func(client.Server) bool) client.Server {
	d.T.Helper()
	var s client.Server
	d.until("the server "+what, func() bool {
		all := d.host.Snapshot().Servers
		if len(all) != 1 {
			return false
		}
		s = all[0]
		return ok(s)
	})
	return s
}

// wrote waits until the only server is running and has written text.
func (d *desk) wrote(text string) {
	d.T.Helper()
	d.server("writes "+text, func(s client.Server) bool {
		return s.Status == client.Connected && strings.Contains(strings.Join(s.Stderr, "\n"), text)
	})
}

// disconnect disconnects the only server.
func (d *desk) disconnect() {
	d.T.Helper()
	d.closeSheets()
	d.openConnect()
	d.PressIcon("quit")
	d.until("no server is left", func() bool { return len(d.host.Snapshot().Servers) == 0 && d.Reads("No server is connected yet.") })
}

// openConnect opens the sheet that connects a server.
func (d *desk) openConnect() { d.T.Helper(); d.Press("Connect tool") }

// connecting reports whether the sheet that connects a server is open.
func (d *desk) connecting() bool { return d.Reads("Connect a tool") }

func TestConnectChecksBeforeItStartsAnything(t *testing.T) {
	for _, c := range []struct{ path, args, says string }{
		{"", "", "There is nothing to read."},
		{"   ", "", "There is nothing to read."},
		{"/tmp/server.txt", "", "Invalid server script type. Must be .py, .js or .go."},
		{"/tmp/no/server.sh", "", "Server script not found: /tmp/no/server.sh."},
		{"npm install -g tavily-mcp", "", `The command "npm install -g tavily-mcp" installs a server but does not start it.`},
		{"{\"mcpServers\": {}}", "", "This JSON names no MCP server."},
		{"/tmp/server.PY", "", "Invalid server script type. Must be .py, .js or .go."},
		{echoServer(t), `--root "My files`, "The arguments can't be read: a quote is not closed."},
	} {
		host := client.New(client.Options{})
		d := shown(t, ui.Options{Host: host})
		d.openConnect()
		d.Enter(scriptField, c.path)
		d.enterArguments(c.args)
		d.Press("Add and start")
		if d.Reads("Starting…") || len(host.Snapshot().Servers) > 0 {
			t.Errorf("%q: the window tries to connect", c.path)
		}
		if !d.Reads(c.says) {
			t.Errorf("%q: the window does not say %q", c.path, c.says)
		}
		d.window.Close()
		host.Close()
	}
}

// The sheet reports before the start whether the folder in a server's arguments exists. Without
// the folder, the server exits at once.
func TestSheetKnowsAFolderThatIsNotThere(t *testing.T) {
	there := t.TempDir()
	for folder, want := range map[string]string{there: "a folder", filepath.Join(there, "Documents"): "not found on this computer"} {
		host := client.New(client.Options{})
		t.Cleanup(host.Close)
		d := shown(t, ui.Options{Host: host})
		d.openConnect()
		d.Enter(scriptField, "npx -y @modelcontextprotocol/server-filesystem "+folder)
		if !d.Reads(want) {
			t.Errorf("the sheet shows %q of %s, want %q", d.Texts(), folder, want)
		}
	}
}

// The sheet reports before the start if the file in a command does not exist.
func TestSheetKnowsAFileThatIsNotThere(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.openConnect()
	missing := filepath.Join(t.TempDir(), "index.js")
	d.Enter(scriptField, "node "+missing)
	if !d.Says("There is no file " + missing) {
		t.Errorf("the sheet shows %q", d.Texts())
	}
}

func TestServerConnectsAndDisconnects(t *testing.T) {
	d := hosted(t, ui.Options{})
	script := echoServer(t)
	d.connect(script)
	if d.Pressable("Connect") || !d.Reads("Starting…") {
		t.Error("the sheet does not show that it connects")
	}
	if _, size, _ := d.Place("Starting…"); size.Width < fyne.MeasureText("Starting…", 13, fyne.TextStyle{}).Width {
		t.Errorf("what the sheet does is cut at %v", size.Width)
	}
	d.until("the sheet closes", func() bool { return !d.connecting() })
	d.sees("Connected to echo · 2 tools")
	d.until("the sidebar counts the server", func() bool { return d.After("Tools") == "1" })
	if !d.Reads("2 tools") {
		t.Error("the composer does not count the tools")
	}

	d.openConnect()
	if !d.Reads("2 tools") || !d.Reads(script) {
		t.Error("the server is not listed with its path and its tools")
	}
	d.PressIcon("quit")
	d.sees("No server is connected yet.")
	d.sees("Disconnected from echo")
	d.PressIcon("close")
	if d.After("Tools") == "1" {
		t.Error("the sidebar still counts the server")
	}
}

func TestServerThatFailsIsExplained(t *testing.T) {
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	d := hosted(t, ui.Options{Host: host})
	script := filepath.Join(t.TempDir(), "broken.py")
	if err := os.WriteFile(script, []byte("import no_such_module_at_all\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.connect(script)
	const why = "Failed to start server: exit status 1: ModuleNotFoundError: No module named 'no_such_module_at_all'"
	d.sees(why)
	d.until("the form can be sent again", func() bool { return d.Pressable("Add and start") })
	d.Press("Details")
	if !d.Says("import no_such_module_at_all") {
		t.Error("the window does not show what the server wrote")
	}
	d.sees("Failed")
	if n := d.Count(why); n != 1 {
		t.Errorf("the window says %d times why the server failed", n)
	}
	failed := host.Snapshot().Servers[0].Err
	if !d.Reads(view.CommandLine(failed)) || !d.Pressable("Restart") || d.Count("Command · "+view.ExitNote(failed)) != 1 {
		t.Error("the card is not whole")
	}
	d.FocusField(scriptField)
	d.Type("x") // the form describes another server now
	if n := d.Count(why); n != 1 {
		t.Errorf("the list says %d times why the server failed", n)
	}
	d.Enter(scriptField, script)
	d.Press("Add and start")
	d.until("the connection fails again", func() bool { return d.Pressable("Add and start") && d.Reads(why) })
	if n := d.Count(why); n != 1 {
		t.Errorf("the window says %d times why the server failed again", n)
	}
	d.PressIcon("close", 1) // the first closes the sheet
	d.sees("No server is connected yet.")
}

func TestCancelWhileConnecting(t *testing.T) {
	d := hosted(t, ui.Options{})
	script := filepath.Join(t.TempDir(), "silent.py")
	if err := os.WriteFile(script, []byte("import time\ntime.sleep(60)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.connect(script)
	d.Press("Cancel")
	if d.Layers() != 0 {
		t.Error("the sheet is still open")
	}
}

func TestToastGoesAway(t *testing.T) {
	d := newDesk(t, ui.Options{})
	const one, two = "This conversation has used no tokens yet.", "Copied"
	d.window.ShowChat(view.Chat{}.Say("hello"), false)
	d.run("Tokens and cost of this conversation")
	d.beats(20)
	d.Shortcut(fyne.KeyUp, fyne.KeyModifierAlt)
	d.Key(fyne.KeyC)
	d.beats(20)
	if d.Reads(one) || !d.Reads(two) {
		t.Error("toasts do not go in the order in which they came")
	}
	d.openConnect()
	if !d.Reads(two) {
		t.Error("the sheet hides the toast")
	}
	d.beats(40)
	if d.Reads(two) {
		t.Error("the toast stays")
	}
}

func TestCursorCostsNothingWithoutFocus(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.FocusField(composer)
	if d.window.Ticking() == 0 {
		t.Fatal("nothing keeps the cursor of a focused field from fading")
	}
	d.Canvas().Unfocus()
	if d.window.Ticking() != 0 {
		t.Error("the clock still ticks for a field without the focus")
	}
}
