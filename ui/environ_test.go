package ui_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/ui"
)

// A ring is a keyring in memory.
type ring struct {
	mu   sync.Mutex
	held map[string]string
}

func (r *ring) secrets() *config.Keyring {
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

// scriptOf writes the echo server to a file, preceded by lines of Python.
func scriptOf(t testing.TB, name, before string) string {
	t.Helper()
	source, err := os.ReadFile("testdata/echo.py")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(script, append([]byte(before+"\n"), source...), 0o600); err != nil {
		t.Fatal(err)
	}
	return script
}

// serverOf returns the echo server under another name, preceded by lines of Python.
func serverOf(t testing.TB, name, before string) string {
	t.Helper()
	script := scriptOf(t, name+".py", before)
	source, err := os.ReadFile(script)
	if err == nil {
		err = os.WriteFile(script, bytes.Replace(source, []byte(`"serverInfo": {"name": "echo"`), []byte(`"serverInfo": {"name": "`+name+`"`), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// sayEnvironment prints the environment and the arguments of a server.
const sayEnvironment = "import os, sys\nprint('given', os.environ.get('API_TOKEN'), os.environ.get('SHADE'), sys.argv[1:], os.getcwd(), file=sys.stderr, flush=True)"

// secret reports whether the nth value is hidden behind bullets.
func (d *desk) secret(nth int) bool { return strings.HasPrefix(d.Field("value", nth), "•") }

// The server gets its environment now and at its next start. Its secrets are stored in the
// keyring and in no file.
func TestEnvironmentIsGivenAndKept(t *testing.T) {
	script := scriptOf(t, "env.py", sayEnvironment)
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	var keep ring
	secrets := keep.secrets()
	d := hosted(t, ui.Options{Host: host, Keyring: secrets})
	d.openConnect()
	d.Enter(scriptField, script)
	d.Press("Arguments, environment, folder")
	d.FocusField("NAME")
	d.Paste("# test\nexport API_TOKEN='s3 cret'\nSHADE=green\n")
	if d.Field("NAME", 0) != "API_TOKEN" || d.Field("NAME", 1) != "SHADE" || d.Field("value", 1) != "green" {
		t.Fatalf("the lines became %q", d.Texts())
	}
	if !d.secret(0) || d.secret(1) || d.Icons("eye") != 1 {
		t.Error("the secret can be read, or another value is hidden")
	}
	d.Press("Add and start")
	d.wrote("given s3 cret green []")
	d.connected()
	written := func() string {
		data, err := json.Marshal(d.saved.get())
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	d.until("the settings are saved", func() bool { return strings.Contains(written(), `"value":"green"`) })
	if s := written(); strings.Contains(s, "s3 cret") || keep.values() != "s3 cret" {
		t.Errorf("saved is %s, and the keyring has %q", s, keep.values())
	}

	// A change restarts the server and is saved.
	d.openServer("env", "Process")
	d.Press("Edit…")
	d.until("the sheet has the variables", func() bool { return d.CountFields("value") == 2 })
	dir := t.TempDir()
	d.Enter("value", "blue", 1)
	d.Enter(argumentsField, `-v "two words"`)
	d.Enter(folderField, dir)
	d.Press("Save and restart")
	d.wrote("given s3 cret blue ['-v', 'two words'] " + dir)
	d.until("the change is saved", func() bool { return strings.Contains(written(), `"value":"blue"`) })
	if s := written(); strings.Contains(s, "s3 cret") || !strings.Contains(s, dir) || keep.values() != "s3 cret" {
		t.Errorf("after the change saved is %s, and the keyring has %q", s, keep.values())
	}
	id := host.Snapshot().Servers[0].ID
	d.disconnect()
	again := hosted(t, ui.Options{Host: host, Keyring: secrets, Settings: d.saved.get()})
	again.openConnect()
	again.Press("Connect")
	again.wrote("given s3 cret blue ['-v', 'two words'] " + dir)
	again.connected()
	if got := host.Snapshot().Servers[0].ID; got != id {
		t.Errorf("its id is %q, and was %q", got, id)
	}

	// The keyring deletes the secret when no server uses it any more.
	again.disconnect()
	again.PressIcon("close", 1) // the first closes the sheet
	again.window.Close()        // waits for the keyring
	d.window.Close()
	if got := keep.values(); got != "" {
		t.Errorf("the keyring still has %q", got)
	}
}

func TestWithoutAKeyringSecretsLastAsLongAsTheWindow(t *testing.T) {
	script := scriptOf(t, "env.py", sayEnvironment)
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	d := hosted(t, ui.Options{Host: host})
	d.openConnect()
	d.Press("Arguments, environment, folder")
	if !d.Says("This system has no keyring") {
		t.Error("the form does not say that secrets can't be kept")
	}
	d.Enter(scriptField, script)
	d.Enter("NAME", "API_TOKEN")
	d.Enter("value", "s3cret")
	d.Press("Add and start")
	d.wrote("given s3cret None []")
	d.sees("goated keeps the secret values only until it quits: this system has no keyring")
	d.connected()
	d.disconnect()
	d.Press("Connect")
	d.wrote("given s3cret None []")
	d.connected()
	d.disconnect()
	d.until("the settings are saved", func() bool { return len(d.saved.get().Recent) == 1 })

	// The next run of goated asks for the value.
	again := hosted(t, ui.Options{Host: host, Settings: d.saved.get()})
	again.openConnect()
	again.Press("Connect")
	again.sees("No value is stored for API_TOKEN.")
	if again.Field(scriptField) != script || !again.FieldFocused("value") {
		t.Error("the form is not filled in, or the focus is not on the value")
	}
	if len(host.Snapshot().Servers) != 0 {
		t.Error("the server was started without its secret")
	}
}

func TestWrongVariablesAreSaid(t *testing.T) {
	host := client.New(client.Options{})
	defer host.Close()
	d := shown(t, ui.Options{Host: host})
	d.openConnect()
	d.Press("Arguments, environment, folder")
	d.Enter(scriptField, scriptOf(t, "a.py", ""))
	d.Enter("NAME", "two words")
	d.Enter("value", "x")
	d.Press("Add and start")
	if !d.Reads(`"two words" is not a valid variable name: use letters, digits and underscores.`) || !d.FieldFocused("NAME") {
		t.Errorf("the form does not say what is wrong, and where: %q", d.Texts())
	}
	d.Enter("NAME", "")
	d.Enter("value", "")
	d.Enter(scriptField, scriptOf(t, "a.go", ""))
	d.Enter(folderField, "/tmp")
	d.Press("Add and start")
	if !d.Reads("A .go script runs in its own folder: leave the working directory empty.") {
		t.Error("the form does not say that a Go script has a folder of its own")
	}
	d.FocusField("value")
	d.Paste("plain=not\nlines of variables")
	fields := d.Fields()
	if n := strings.Count(strings.Join(fields, "|"), "NAME"); n != 1 {
		t.Errorf("text that is no list of variables became %d variables", n)
	}
	if len(host.Snapshot().Servers) > 0 {
		t.Error("the window tried to connect")
	}
	d.Key(fyne.KeyEscape)
}
