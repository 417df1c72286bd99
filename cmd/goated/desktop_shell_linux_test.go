package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/servers/desktop/x11/hidden"
)

// With its switch, a shell command of the desktop server runs as the user, with the user's files.
// The server's sandbox gives access to none of them. The same applies to a folder that the command
// creates.
func TestShellCommandsRunAsTheUser(t *testing.T) {
	display, err := hidden.Start(t.Context(), hidden.Options{})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(display.Close)
	p := newPlace(t)
	p.env = display.Environ(p.env)
	notes := filepath.Join(p.home, "Documents", "notes.txt")
	if err := os.MkdirAll(filepath.Dir(notes), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(notes, []byte("buy milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(p.home, "D")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	settings := func(on string) {
		if err := os.WriteFile(filepath.Join(data, "settings.json"), []byte(`{"bundledOn": [`+on+`]}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	settings(`"desktop"`)
	args := `{"tool":"execute_shell_command","arguments":"{\"command\":\"cat ` + notes + ` && echo more >> ` + notes + `\"}"}`
	if out, aside, code := p.run("--data", data, "call", "run", "--yes", "--args", args); code == 0 || !strings.Contains(out+aside, "scripting") {
		t.Errorf("without the switch: status %d, %s%s", code, out, aside)
	}
	settings(`"desktop", "desktop/scripting"`)
	out, aside, code := p.run("--data", data, "call", "run", "--yes", "--args", args)
	if code != 0 || !strings.Contains(out, "buy milk") {
		t.Errorf("status %d, %s%s", code, out, aside)
	}
	if text, _ := os.ReadFile(notes); string(text) != "buy milkmore\n" {
		t.Errorf("the file has %q", text)
	}
	made := filepath.Join(p.home, "Documents", "trip")
	args = `{"tool":"select_directory","arguments":"{\"application\":\"applications/1\",\"directory_path\":\"` + made + `\",\"create_missing\":true}"}`
	if out, aside, code := p.run("--data", data, "call", "run", "--yes", "--args", args); code != 0 {
		t.Errorf("making a folder: status %d, %s%s", code, out, aside)
	}
	if _, err := os.Stat(made); err != nil {
		t.Error(err)
	}
}
