package ui

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/client"
	"goated/internal/config"
)

// ring is a keyring in memory.
type ring struct {
	mu   sync.Mutex
	held map[string]string
}

func (r *ring) keyring() *config.Keyring {
	r.held = make(map[string]string)
	locked := func(f func() error) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		return f()
	}
	return &config.Keyring{
		Save: func(ref, value string) error { return locked(func() error { r.held[ref] = value; return nil }) },
		Load: func(ref string) (value string, err error) {
			err = locked(func() error {
				if v, ok := r.held[ref]; ok {
					value = v
					return nil
				}
				return errors.New("not found")
			})
			return value, err
		},
		Clear: func(ref string) error { return locked(func() error { delete(r.held, ref); return nil }) },
	}
}

func (r *ring) values() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for _, v := range r.held {
		all = append(all, v)
	}
	return strings.Join(all, " ")
}

// envServer is the echo server, which first says what it was given.
func envServer(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	source, err := os.ReadFile("testdata/echo.py")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "env.py")
	say := "import os, sys\nprint('given', os.environ.get('API_TOKEN'), os.environ.get('SHADE'), sys.argv[1:], os.getcwd(), file=sys.stderr, flush=True)\n"
	if err := os.WriteFile(script, append([]byte(say), source...), 0o600); err != nil {
		t.Fatal(err)
	}
	return script
}

func (d *desk) pasteInto(in *input, text string) {
	d.app.Clipboard().SetContent(text)
	in.TypedShortcut(&fyne.ShortcutPaste{Clipboard: d.app.Clipboard()})
}

// said waits until the only server has written text.
func (d *desk) said(text string) {
	d.t.Helper()
	d.until("the server says "+text, func() bool {
		s := d.options.Host.Snapshot().Servers
		return len(s) == 1 && s[0].Status == client.Connected && strings.Contains(strings.Join(s[0].Stderr, "\n"), text)
	})
}

// The environment goes to the server and to the next start of it; its secrets go
// to the keyring, and to no file.
func TestEnvironmentIsGivenAndKept(t *testing.T) {
	script := envServer(t)
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	var keep ring
	d := newDesk(t, Options{Host: host, Keyring: keep.keyring()})
	d.show()
	d.connect()
	d.connector.path.SetText(script)
	test.Tap(d.button("Environment and folder"))
	vars := d.connector.form.vars
	d.pasteInto(vars.rows[0].name, "# test\nexport API_TOKEN='s3 cret'\nSHADE=green\n")
	if len(vars.rows) != 2 || vars.rows[0].name.Text != "API_TOKEN" || vars.rows[1].value.Text != "green" {
		t.Fatalf("the lines became %d rows", len(vars.rows))
	}
	if !vars.rows[0].value.Password || vars.rows[1].value.Password || vars.rows[1].eye.Visible() {
		t.Error("the secret can be read, or what is none is hidden")
	}
	test.Tap(d.button("Connect"))
	d.said("given s3 cret green []")
	d.until("it is kept", func() bool { return d.connector == nil && len(d.settings.Recent) == 1 })
	written := func() string {
		data, err := json.Marshal(d.settings)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if s := written(); strings.Contains(s, "s3 cret") || !strings.Contains(s, `"value":"green"`) || keep.values() != "s3 cret" {
		t.Errorf("written is %s, the keyring has %q", s, keep.values())
	}

	// What is changed on its page restarts it, and is what the next start has.
	d.visit(d.servers.Servers[0].ID, "")
	test.Tap(d.station.names[serverProcess].spot)
	values := func(ok func(*input) bool) *input {
		in, is := find(d, ok)
		if !is {
			t.Fatal("there is no such field")
		}
		return in
	}
	values(func(in *input) bool { return in.Text == "green" }).SetText("blue")
	values(func(in *input) bool { return strings.HasPrefix(in.PlaceHolder, "Optional, as in a shell") }).SetText(`-v "two words"`)
	dir := t.TempDir()
	values(func(in *input) bool { return strings.HasPrefix(in.PlaceHolder, "Optional: the folder") }).SetText(dir)
	test.Tap(d.button("Apply and restart"))
	d.said("given s3 cret blue ['-v', 'two words'] " + dir)
	d.until("it is kept", func() bool { return len(d.settings.Recent) == 1 && len(d.settings.Recent[0].Args) == 2 })
	if s := written(); strings.Contains(s, "s3 cret") || !strings.Contains(s, `"value":"blue"`) || !strings.Contains(s, dir) || keep.values() != "s3 cret" {
		t.Errorf("after the change written is %s, the keyring has %q", s, keep.values())
	}
	d.clear()
	id := d.servers.Servers[0].ID
	d.part(d.servers.Servers[0])
	d.until("it is gone", func() bool { return len(d.servers.Servers) == 0 })
	again := newDesk(t, Options{Host: host, Keyring: d.options.Keyring, Settings: d.settings})
	again.show()
	again.connect()
	test.Tap(again.button("Connect", 1))
	again.said("given s3 cret blue ['-v', 'two words'] " + dir)
	again.until("it is kept", func() bool { return again.connector == nil && len(again.servers.Servers) == 1 })
	if got := again.servers.Servers[0].ID; got != id {
		t.Errorf("its id is %q, and was %q", got, id)
	}

	// The last place that knows the secret takes it along.
	l := again.settings.Recent[0]
	again.change(again.settings.Drop(l).Forget(l))
	again.Close() // which waits for it
	if got := keep.values(); got != "" {
		t.Errorf("the keyring still has %q", got)
	}
}

func TestWithoutAKeyringSecretsLastAsLongAsTheWindow(t *testing.T) {
	script := envServer(t)
	host := client.New(client.Options{Unconfined: anyhow})
	defer host.Close()
	d := newDesk(t, Options{Host: host})
	d.show()
	d.connect()
	d.connector.widen(true)
	if _, ok := find(d, func(p *prose) bool { return strings.Contains(plainText(p.spans), "There is no keyring on this system") }); !ok {
		t.Error("nothing says that it can't be kept")
	}
	d.connector.path.SetText(script)
	d.connector.form.vars.put([]config.Variable{{Name: "API_TOKEN", Value: "s3cret"}})
	test.Tap(d.button("Connect"))
	d.said("given s3cret None []")
	d.until("it is said", func() bool {
		return d.reads("The secret values are kept until goated quits: there is no keyring on this system")
	})
	d.part(d.servers.Servers[0])
	d.until("it is gone", func() bool { return len(d.servers.Servers) == 0 })
	d.connect()
	test.Tap(d.button("Connect", 1))
	d.said("given s3cret None []")
	d.until("the sheet closes", func() bool { return d.connector == nil })
	d.part(d.servers.Servers[0])
	d.until("it is gone", func() bool { return len(d.servers.Servers) == 0 })

	// In the next run it is asked for.
	again := newDesk(t, Options{Host: host, Settings: d.settings})
	again.show()
	again.connect()
	test.Tap(again.button("Connect", 1))
	again.until("it is asked for", func() bool { return again.reads("The value of API_TOKEN is not kept any more.") })
	if c := again.connector; c.path.Text != script || again.win.Canvas().Focused() != c.form.vars.rows[0].value {
		t.Error("the form is not filled in, or the focus is not on what is missing")
	}
	if len(host.Snapshot().Servers) != 0 {
		t.Error("the server was started without it")
	}
}

func TestWrongVariablesAreSaid(t *testing.T) {
	d := newDesk(t, Options{})
	d.connect()
	c := d.connector
	c.OnConnect = func(config.Launch) { t.Error("a connection was tried") }
	c.path.SetText("/tmp/a.py")
	c.form.vars.put([]config.Variable{{Name: "two words", Value: "x"}})
	test.Tap(d.button("Connect"))
	if !d.reads(`"two words" is no name of a variable: letters, digits and _ make one.`) || d.win.Canvas().Focused() != c.form.vars.rows[0].name {
		t.Error("it is not said what is wrong, and where")
	}
	c.path.SetText("/tmp/a.go")
	c.form.put(config.Launch{Dir: "/tmp"})
	test.Tap(d.button("Connect"))
	if !d.reads("A .go script runs in its own folder: leave the working directory empty.") {
		t.Error("it is not said that a Go script has a folder of its own")
	}
	d.pasteInto(c.form.vars.rows[0].value, "plain=not\nlines of variables")
	if len(c.form.vars.rows) != 1 {
		t.Error("what is no list of variables became one")
	}
}
