package ui_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/config"
	"goated/internal/oauth"
	"goated/internal/proctest"
	"goated/internal/waittest"
	"goated/ui"
)

// The servers of other apps are listed with their exact commands. None runs or is saved before
// the user chooses it. Keys are stored in the keyring.
func TestServersOfOtherAppsAreImported(t *testing.T) {
	python := pythonPath(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	file := filepath.Join(home, ".cursor", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	const key = "ghp_0123456789abcdefghijABCDEFGHIJ456789"
	text := `{"mcpServers": {"echo": {"command": "` + python + `", "args": ["` + echoServer(t) + `", "a <b>"], "env": {"GITHUB_TOKEN": "` + key + `", "MODE": "x"}},
		"calendar": {"url": "https://calendar.example.org/mcp"}, "broken": {}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d := hosted(t, ui.Options{Keyring: &config.Keyring{
		Save:  func(string, string) error { return nil },
		Load:  func(string) (string, error) { return "", errors.New("it is not there") },
		Clear: func(string) error { return nil },
	}})
	d.run("Import servers from other apps…")
	d.until("the servers are listed", func() bool { return d.Reads("Found in Cursor") })
	d.sees("1 key, to the keyring · with MODE=x")
	d.sees("https://calendar.example.org/mcp")
	if shown := strings.Join(d.Texts(), "\n"); strings.Contains(shown, key) || len(d.host.Snapshot().Servers) > 0 {
		t.Errorf("the sheet shows a key, or a server runs:\n%s", shown)
	}
	d.Press("echo")
	d.Press("Import 1 server")
	d.until("the server runs", func() bool {
		s := d.host.Snapshot().Servers
		return len(s) == 1 && s[0].Status == client.Connected
	})
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	if l := d.saved.get().Launch[0]; l.Command != python || l.Args[1] != "a <b>" || l.Env[0].Value != "" && l.Env[0].Name == "GITHUB_TOKEN" || strings.Contains(l.DisplayName(), key) {
		t.Errorf("saved is %+v", l)
	}
	if now, _ := os.ReadFile(file); string(now) != text {
		t.Error("the file of the app changed")
	}
}

// The import saved a server once for each app that has it, and started all copies under one
// name. The Tools page showed three rows for two servers, and the switch of one copy left the
// other running.
func TestAServerOfTwoAppsIsImportedOnce(t *testing.T) {
	python := pythonPath(t)
	echo := `{"command": "` + python + `", "args": ["` + echoServer(t) + `"]}`
	other := strings.Replace(echo, `"]`, `", "other"]`, 1)
	clientFiles(t, map[string]string{
		".config/Claude/claude_desktop_config.json": `{"mcpServers": {"echo": ` + echo + `}}`,
		".cursor/mcp.json":                          `{"mcpServers": {"echo": ` + echo + `, "copy": ` + echo + `, "ghost": {"command": "goated", "args": ["serve", "ghost"]}}}`,
		".gemini/settings.json":                     `{"mcpServers": {"Echo": ` + other + `}}`,
	})
	d := hosted(t, ui.Options{})
	d.run("Import servers from other apps…")
	d.until("the servers are listed", func() bool { return d.Reads("Found in Cursor") })
	d.sees("0 of 3 servers can be imported")
	d.sees("same as in Claude Desktop")
	d.sees("same as echo in Claude Desktop")
	d.sees("ghost comes with goated: turn it on in Tools")
	d.Press("Echo")
	d.Press("Select all") // selects all servers of the first app
	d.Press("Import 2 servers")
	d.until("both run and are saved", func() bool { return d.host.Snapshot().Connected() == 2 && len(d.saved.get().Launch) == 2 })
	var saved, running []string
	for _, l := range d.saved.get().Launch {
		saved = append(saved, l.Name)
	}
	for _, s := range d.host.Snapshot().Servers {
		running = append(running, s.Name)
	}
	slices.Sort(running)
	slices.Sort(saved)
	if strings.Join(saved, " ") != "Echo-2 echo" || !slices.Equal(saved, running) {
		t.Errorf("saved are %q, %q run", saved, running)
	}
	d.Press("Tools")
	d.until("it lists two servers", func() bool { return d.Reads("All 2") && d.Reads("On 2") })
}

// Without a keyring, an imported server stayed on, and had no key at the next start.
func TestImportWithoutAKeyringTurnsTheServerOff(t *testing.T) {
	clientFiles(t, map[string]string{".cursor/mcp.json": `{"mcpServers": {"keyed": {"command": "python3", "args": ["` + echoServer(t) + `"], "env": {"API_KEY": "hush"}}}}`})
	d := hosted(t, ui.Options{})
	d.run("Import servers from other apps…")
	d.until("the servers are listed", func() bool { return d.Reads("Found in Cursor") })
	d.Press("keyed")
	d.Press("Import 1 server")
	d.until("it says why it is off", func() bool {
		return d.Says("Imported 1 server. 1 is off, because goated keeps its keys only until it quits: this system has no keyring.")
	})
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	if saved := d.saved.get().Launch; !saved[0].Off || len(d.host.Snapshot().Servers) > 0 {
		t.Errorf("saved is %+v, and %d servers run", saved, len(d.host.Snapshot().Servers))
	}
}

// The import only reported that a server comes with goated, and offered nothing.
func TestImportTurnsOnGoatedsOwnServers(t *testing.T) {
	program := filepath.Join(t.TempDir(), "goated")
	if err := proctest.WriteProgram(program, nil); err != nil {
		t.Fatal(err)
	}
	clientFiles(t, map[string]string{".cursor/mcp.json": `{"mcpServers": {
		"notes": {"command": "` + program + `", "args": ["serve", "ghost"]}, "map": {"command": "goated", "args": ["serve", "llmem"]}, "else": {"command": "goated", "args": ["serve", "other"]}}}`})
	var switched []string
	d := hosted(t, ui.Options{
		Bundled: []config.Bundled{{Name: "ghost"}, {Name: "llmem", Default: true}},
		SwitchBundled: func(b config.Bundled, on bool) {
			if on {
				switched = append(switched, b.Name)
			}
		},
	})
	d.run("Import servers from other apps…")
	d.until("the servers are listed", func() bool { return d.Reads("Found in Cursor") })
	d.sees("1 of 3 servers can be imported")
	d.sees("ghost comes with goated. Importing turns that one on")
	d.sees("llmem comes with goated and is on")
	d.Press("notes")
	d.Press("Import 1 server")
	d.until("it says that it is on", func() bool { return d.Says("ghost is on.") })
	d.until("it is saved", func() bool { return len(d.saved.get().BundledOn) == 1 })
	if s := d.saved.get(); !slices.Equal(switched, []string{"ghost"}) || !slices.Equal(s.BundledOn, []string{"ghost"}) || len(s.Launch) > 0 {
		t.Errorf("%q started; on are %q, and saved is %+v", switched, s.BundledOn, s.Launch)
	}
}

// When a server requires a sign-in, the question shows the whole address. The browser opens
// only after a click.
func TestSignInOpensTheBrowserAfterAClick(t *testing.T) {
	dialogs := ui.NewDialogs()
	d := shown(t, ui.Options{Dialogs: dialogs})
	const address = "https://auth.example.org/authorize?client_id=goated&state=abc"
	answers := make(chan error, 1)
	ask := func() {
		go func() {
			answers <- dialogs.SignIn(t.Context(), oauth.Request{Server: "calendar", URL: address, Host: "auth.example.org", Scopes: []string{"read", "write"}})
		}()
		d.until("the question is shown", func() bool { return d.Reads("Sign in to calendar?") })
	}
	ask()
	d.sees(address)
	d.sees("Asks for: read, write")
	if len(d.opened) > 0 {
		t.Fatal("the browser opens by itself")
	}
	d.later() // a question takes no answer right after it opens
	d.Press("Open browser")
	if err := waittest.Receive(t, "the answer", answers); err != nil {
		t.Error(err)
	}
	if got := waittest.Receive(t, "the browser is opened", d.opened); got != address {
		t.Errorf("the browser opens %s", got)
	}
	d.until("the question closes", func() bool { return !d.Reads("Sign in to calendar?") })
	ask()
	d.later()
	d.Press("Cancel")
	if err := waittest.Receive(t, "the answer", answers); err == nil || len(d.opened) > 0 {
		t.Errorf("cancelled: %v", err)
	}
}

// "Copy address" and "Open browser" acted when they were pressed before the user could have read
// the question, which then stayed.
func TestASignInIgnoresEarlyPresses(t *testing.T) {
	dialogs := ui.NewDialogs()
	d := shown(t, ui.Options{Dialogs: dialogs})
	const address = "https://auth.example.org/authorize"
	answers := make(chan error, 1)
	go func() {
		answers <- dialogs.SignIn(t.Context(), oauth.Request{Server: "calendar", URL: address, Host: "auth.example.org"})
	}()
	d.sees("Sign in to calendar?")
	d.Press("Copy address")
	d.Press("Open browser")
	if d.Clipboard() == address || !d.Reads("Sign in to calendar?") {
		t.Errorf("an early press has an effect: the clipboard has %q", d.Clipboard())
	}
	d.later()
	d.Press("Open browser")
	if err := waittest.Receive(t, "the answer", answers); err != nil {
		t.Error(err)
	}
	waittest.Receive(t, "the browser is opened", d.opened)
	d.window.Close() // waits for the goroutines of the window
	if len(d.opened) > 0 {
		t.Error("the early press opens the browser too")
	}
}
