package ui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/client"
	"goated/internal/config"
	"goated/ui/view"
)

func TestConnectChecksBeforeItStartsAnything(t *testing.T) {
	for _, c := range []struct{ path, args, says string }{
		{"", "", "Enter the path of a server script."},
		{"   ", "", "Enter the path of a server script."},
		{"/tmp/server.sh", "", "Invalid server script type. Must be .py or .js."},
		{"/tmp/server.PY", "", "Invalid server script type. Must be .py or .js."},
		{"/tmp/server.py", `--root "My files`, "The arguments can't be read: a quote is not closed."},
	} {
		d := newDesk(t, Options{})
		test.Tap(d.plug)
		asked := false
		d.connector.OnConnect = func(config.Launch) { asked = true }
		d.connector.path.SetText(c.path)
		d.connector.form.args.SetText(c.args)
		test.Tap(d.button("Connect"))
		if asked {
			t.Errorf("%q: a connection was tried", c.path)
		}
		if !d.reads(c.says) {
			t.Errorf("%q: it does not say %q", c.path, c.says)
		}
	}
}

func TestConnectPassesArguments(t *testing.T) {
	d := newDesk(t, Options{})
	d.connect()
	var got config.Launch
	d.connector.OnConnect = func(l config.Launch) { got = l }
	d.connector.path.SetText(" /tmp/server.py ")
	d.connector.form.args.SetText(`--root "My files" -v`)
	press(d.connector.form.args, fyne.KeyReturn)
	if got.Path != "/tmp/server.py" || strings.Join(got.Args, "|") != "--root|My files|-v" {
		t.Errorf("it asks for %+v", got)
	}
}

func TestServerConnectsAndDisconnects(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	d := newDesk(t, Options{Host: host})
	d.show()
	test.Tap(d.plug)
	script, err := filepath.Abs("testdata/echo.py")
	if err != nil {
		t.Fatal(err)
	}
	d.connector.path.SetText(script)
	test.Tap(d.button("Connect"))
	if c := d.connector; !c.connect.disabled || c.spin.beat == nil {
		t.Error("nothing shows that it is connecting")
	}
	d.until("the sheet closes", func() bool { return d.connector == nil })
	if !d.reads("Connected to echo · 2 tools") {
		t.Error("nothing says that it is connected")
	}
	d.until("the header counts it", func() bool { return d.plug.badge == "1" })
	if d.composer.tools.text != "2 tools" {
		t.Errorf("the composer says %q", d.composer.tools.text)
	}

	d.connect()
	if !d.reads("2 tools") || !d.reads(script) {
		t.Error("the server is not listed with its path and its tools")
	}
	b, ok := find(d, func(b *button) bool { return b.icon == "trash" })
	if !ok {
		t.Fatal("there is no button to disconnect")
	}
	test.Tap(b)
	d.until("it is gone", func() bool { return d.plug.badge == "" && d.reads("Disconnected from echo") })
	d.until("the list is empty", func() bool { return d.reads("No server is connected yet.") })
}

func TestServerThatFailsIsExplained(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	script := filepath.Join(t.TempDir(), "broken.py")
	if err := os.WriteFile(script, []byte("import no_such_module_at_all\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	d := newDesk(t, Options{Host: host})
	d.show()
	d.connect()
	d.connector.path.SetText(script)
	test.Tap(d.button("Connect"))
	d.until("it failed", func() bool { return !d.connector.connect.disabled && d.connector.problem.Visible() })
	test.Tap(d.button("Details"))
	if _, ok := find(d, func(p *prose) bool { return strings.Contains(plainText(p.spans), "no_such_module_at_all") }); !ok {
		t.Error("what the server wrote is not shown")
	}
	d.until("it is listed as failed", func() bool { return d.reads("Failed") })
	why := "Failed to start server: exit status 1: ModuleNotFoundError: No module named 'no_such_module_at_all'"
	if n := d.times(why); n != 1 {
		t.Errorf("the failure is told %d times", n)
	}
	if !d.reads(view.CommandLine(d.servers.Servers[0].Err)) || !d.button("Restart").Visible() || d.times("Command · "+view.ExitNote(d.servers.Servers[0].Err)) != 1 {
		t.Error("the card is not whole")
	}
	d.connector.path.SetText(script + "x") // it is about something else now
	d.connector.path.OnTyped()
	if n := d.times(why); n != 1 || d.connector.problem.Visible() {
		t.Errorf("in the list the failure is told %d times", n)
	}
	d.connector.path.SetText(script)
	test.Tap(d.button("Connect"))
	d.until("it failed again", func() bool { return !d.connector.connect.disabled && d.connector.problem.Visible() })
	if n := d.times(why); n != 1 {
		t.Errorf("the second failure is told %d times", n)
	}
	n := 0
	find(d, func(b *button) bool { // the first cross is the sheet's own
		if b.icon == "close" {
			if n++; n == 2 {
				b.OnTapped()
			}
		}
		return false
	})
	d.until("it is dismissed", func() bool { return d.reads("No server is connected yet.") })
}

func TestCancelWhileConnecting(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	script := filepath.Join(t.TempDir(), "silent.py")
	if err := os.WriteFile(script, []byte("import time\ntime.sleep(60)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	d := newDesk(t, Options{Host: host})
	d.show()
	d.connect()
	d.connector.path.SetText(script)
	test.Tap(d.button("Connect"))
	test.Tap(d.button("Cancel"))
	if d.connector != nil || len(d.sheets) != 0 {
		t.Error("the sheet is still open")
	}
}

func TestToastGoesAway(t *testing.T) {
	d := newDesk(t, Options{})
	d.toasts.say("check", "one")
	d.beats(20)
	d.toasts.say("check", "two")
	d.beats(20)
	if d.reads("one") || !d.reads("two") {
		t.Error("toasts do not go in the order in which they came")
	}
	d.connect()
	if !d.reads("two") {
		t.Error("the sheet hides the toast")
	}
	d.beats(40)
	if d.reads("two") {
		t.Error("the toast stays")
	}
}

func TestCursorCostsNothingWithoutFocus(t *testing.T) {
	d := newDesk(t, Options{})
	in := d.composer.input
	focus(in)
	if in.hold == nil {
		t.Fatal("nothing keeps the cursor of a focused input from fading")
	}
	d.win.Canvas().Unfocus()
	if len(d.Window.clock.beats) != 0 {
		t.Error("the clock still ticks for an input without focus")
	}
}
