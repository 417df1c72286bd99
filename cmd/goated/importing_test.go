package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"goated/internal/servertest"
)

// settingsText returns the text of the settings file.
func (p *place) settingsText() string {
	text, err := os.ReadFile(filepath.Join(p.home, ".config", "goated", "settings.json"))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// goated shows the servers of other clients with their commands, saves them by name, and runs them.
// No key gets into the settings. The clients' files do not change.
func TestServersAreImported(t *testing.T) {
	p := newPlace(t)
	const key = "ghp_0123456789abcdefghijABCDEFGHIJ456789"
	file := filepath.Join(p.home, ".config", "Claude", "claude_desktop_config.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"mcpServers": {"dice": {"command": "node", "args": [%q], "env": {"GITHUB_TOKEN": %q, "SHADE": "green"}},
		"web": {"url": "https://mcp.example.org/mcp"}, "broken": {"args": []}}}`, servertest.Dice(), key)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, aside, code := p.run("servers", "import")
	if code != 0 || !strings.Contains(out, "dice                 node "+servertest.Dice()) || !strings.Contains(out, "GITHUB_TOKEN=…") || strings.Contains(out+aside, key) ||
		!strings.Contains(out, "Nothing is saved yet") || !strings.Contains(aside, "broken has neither a command nor a URL") {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	for file, want := range map[string]string{
		"no.json":                              "/no.json: the file does not exist. Check the path.",
		"https://example.org/a.json":           "Download it first",
		p.write("half.json", `{"mcpServers":`): "the file ends too early; a } is missing. Correct the file",
		p.write("none.json", `{"a": 1}`):       "goated found no server to import in ",
		p.write("empty.json", ""):              "it is empty. Add a server to it",
	} {
		if out, aside, code := p.run("servers", "import", "--file", file); code != 1 || out != "" || !strings.Contains(aside, want) {
			t.Errorf("%s: status %d\n%s%s", file, code, out, aside)
		}
	}
	if out, aside, code := p.run("servers", "import", "--from", "cursor"); code != 0 || !strings.Contains(out, "found no servers") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	// The error was that the file has no server.
	if _, aside, code := p.run("servers", "import", "--file", file, "--from", "cursor"); code != 1 || !strings.Contains(aside, "Use --file or --from, not both") {
		t.Errorf("status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "import", "--from", "emacs"); code == 0 || !strings.Contains(aside, "Choose one of: claude-desktop") {
		t.Errorf("status %d\n%s", code, aside)
	}
	if out, aside, code := p.run("servers", "import", "dice"); code != 0 || !strings.Contains(out, "added dice of Claude Desktop: node ") {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	if kept := p.settingsText(); strings.Contains(kept, key) || !strings.Contains(kept, `"keyring"`) || !strings.Contains(kept, "green") {
		t.Errorf("the settings are\n%s", kept)
	}
	if out, aside, code := p.run("tools", "--no-bundled", "--server", "dice", "--no-sandbox"); code != 0 || !strings.Contains(out, "roll") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("servers", "import", "--all"); code != 0 || strings.Contains(out, "added dice") || !strings.Contains(out, "added web") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	out, _, code = p.run("servers", "export")
	if code != 0 || !json.Valid([]byte(out)) || strings.Contains(out, key) || !strings.Contains(out, `"GITHUB_TOKEN": "${GITHUB_TOKEN}"`) {
		t.Errorf("status %d\n%s", code, out)
	}
	if out, _, code := p.run("servers", "export", "out.json"); code != 0 || !strings.HasSuffix(out, " to out.json\n") {
		t.Errorf("it is not exported to a file: status %d, %q", code, out)
	}
	if _, aside, code := p.run("servers", "export", "out.json"); code == 0 || !strings.Contains(aside, "--force") {
		t.Errorf("an existing file is replaced: %s", aside)
	}
	if now, _ := os.ReadFile(file); string(now) != text {
		t.Error("the file of the client changed")
	}
}

// packedDice packs the dice server into a bundle.
func packedDice(t *testing.T) (path, hash string) {
	t.Helper()
	dice, err := os.ReadFile(servertest.Dice())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range map[string]string{"server/index.js": string(dice), "manifest.json": `{"manifest_version":"0.3","name":"packed-dice","display_name":"Packed dice","version":"1.2.0","description":"d","author":{"name":"a"},
		"server":{"type":"node","entry_point":"server/index.js","mcp_config":{"command":"node","args":["${__dirname}/server/index.js","${user_config.mode}"],"env":{"KEY":"${user_config.key}"}}},
		"user_config":{"key":{"type":"string","title":"API key","description":"","sensitive":true,"required":true},"mode":{"type":"string","title":"Mode","description":"","default":"fair"}}}`} {
		f, _ := w.Create(name)
		_, _ = f.Write([]byte(text))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "dice.mcpb")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b.Bytes())
	return path, hex.EncodeToString(sum[:])
}

// A bundle can be installed, runs in its sandbox, is updated in place, and is removed with its
// server. The registry installs the same bundle by its name, and goated checks its hash.
func TestBundlesAndTheRegistryInstall(t *testing.T) {
	p := newPlace(t)
	path, hash := packedDice(t)
	if _, aside, code := p.run("servers", "add", path); code == 0 || !strings.Contains(aside, "API key is missing") {
		t.Errorf("status %d\n%s", code, aside)
	}
	out, aside, code := p.run("servers", "add", "--env", "key=hush-0123456789", path)
	if code != 0 || !strings.Contains(out, "added Packed dice: node ") || !strings.Contains(out, "server/index.js fair") {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	if strings.Contains(p.settingsText(), "hush-0123456789") {
		t.Error("a key is in the settings")
	}
	if out, aside, code := p.run("tools", "--no-bundled", "--server", "Packed dice"); code != 0 || !strings.Contains(out, "roll") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("servers", "add", "--env", "key=hush-0123456789", path); code != 0 || !strings.Contains(out, "updated Packed dice: node ") || strings.Count(p.settingsText(), "/index.js") != 1 {
		t.Errorf("an update adds a server: status %d\n%s%s\n%s", code, out, aside, p.settingsText())
	}
	bundles := filepath.Join(p.home, ".local", "share", "goated", "bundles")
	if _, aside, code := p.run("servers", "remove", "Packed dice"); code != 0 {
		t.Errorf("status %d\n%s", code, aside)
	}
	if _, err := os.Stat(filepath.Join(bundles, "packed-dice")); err == nil {
		t.Error("the bundle stays")
	}

	var promised atomic.Value
	promised.Store(hash)
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		entry := fmt.Sprintf(`{"server":{"name":"io.test/dice","description":"Rolls dice","version":"1.2.0","packages":[{"registryType":"mcpb","identifier":"%s/dice.mcpb","fileSha256":"%s","transport":{"type":"stdio"}}]},
			"_meta":{"io.modelcontextprotocol.registry/official":{"status":"active","isLatest":true}}}`, "http://"+r.Host, promised.Load())
		switch {
		case r.URL.Path == "/dice.mcpb":
			http.ServeFile(w, r, path)
		case r.URL.Path == "/v0.1/servers":
			fmt.Fprintf(w, `{"servers":[%s],"metadata":{"count":1}}`, entry)
		case strings.HasSuffix(r.URL.Path, "/versions/latest"):
			fmt.Fprint(w, entry)
		default:
			http.NotFound(w, r)
		}
	}))
	defer registry.Close()
	refused := []string{"Packed dice: bundle packed-dice 1.2.0, SHA-256 " + hash, "node ./server/index.js", "--allow-install"}
	if out, aside, code := p.run("servers", "add", "--env", "key=hush-0123456789", registry.URL+"/dice.mcpb"); code == 0 || out != "" || strings.Contains(p.settingsText(), "dice") ||
		slices.ContainsFunc(refused, func(part string) bool { return !strings.Contains(aside, part) }) {
		t.Errorf("by its address, and nobody is asked: status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("servers", "add", "--allow-install", "--env", "key=hush-0123456789", registry.URL+"/dice.mcpb"); code != 0 || !strings.Contains(out, "added Packed dice: node ") {
		t.Errorf("by its address: status %d\n%s%s", code, out, aside)
	}
	if _, aside, code := p.run("servers", "remove", "Packed dice"); code != 0 {
		t.Errorf("status %d\n%s", code, aside)
	}
	p.env = append(p.env, "GOATED_REGISTRY="+registry.URL)
	if out, aside, code := p.run("servers", "search", "dice"); code != 0 || !strings.Contains(out, "io.test/dice 1.2.0\n  Rolls dice") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("servers", "add", "--env", "key=hush-0123456789", "io.test/dice"); code != 0 || !strings.Contains(out, "added Packed dice: ") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	promised.Store(strings.Repeat("0", 64))
	_ = os.RemoveAll(filepath.Join(p.home, ".local", "share", "goated", "registry"))
	if _, aside, code := p.run("servers", "add", "--env", "key=x", "io.test/dice"); code == 0 || !strings.Contains(aside, "was replaced") {
		t.Errorf("status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "add", "io.test/other"); code == 0 || strings.Contains(aside, "goroutine") {
		t.Errorf("status %d\n%s", code, aside)
	}
}

// A server that is already installed is not saved a second time. --name saves a copy.
func TestAServerOfTheRegistryIsSavedOnce(t *testing.T) {
	p := newPlace(t)
	const entry = `{"name":"io.test/shop","title":"Shop","version":"1.0.0","remotes":[{"type":"streamable-http","url":"https://mcp.example.org/shop"}]}`
	if out, aside, code := p.run("servers", "add", "--off", entry); code != 0 || !strings.Contains(out, "added Shop: ") {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	if _, aside, code := p.run("servers", "add", "--off", entry); code == 0 || !strings.Contains(aside, "already saved as Shop. To save a copy, write --name") {
		t.Errorf("status %d\n%s", code, aside)
	}
	if out, aside, code := p.run("servers", "add", "--off", "--name", "second", entry); code != 0 || !strings.Contains(out, "added second: ") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
}

// A linked file runs the servers that the user allowed, but not if they changed.
func TestFilesAreLinked(t *testing.T) {
	p := newPlace(t)
	dice := servertest.Dice()
	file := p.write(".mcp.json", fmt.Sprintf(`{"mcpServers": {"table": {"command": "node", "args": [%q]}}}`, dice))
	if _, aside, code := p.run("servers", "link", file); code == 0 || !strings.Contains(aside, "--yes") {
		t.Errorf("status %d\n%s", code, aside)
	}
	if out, aside, code := p.run("servers", "link", "--yes", ".mcp.json"); code != 0 || !strings.Contains(out, "table                node "+dice) {
		t.Fatalf("status %d\n%s%s", code, out, aside)
	}
	if out, aside, code := p.run("tools", "--no-bundled"); code != 0 || !strings.Contains(out, "table · 1 tool") {
		t.Errorf("status %d\n%s%s", code, out, aside)
	}
	p.write(".mcp.json", fmt.Sprintf(`{"mcpServers": {"table": {"command": "node", "args": [%q, "--other"]}}}`, dice))
	if out, aside, _ := p.run("tools", "--no-bundled"); strings.Contains(out, "table") || !strings.Contains(aside, "table in "+file+" is new or has changed") {
		t.Errorf("a changed server runs:\n%s%s", out, aside)
	}
	if _, aside, code := p.run("servers", "unlink", ".mcp.json"); code != 0 {
		t.Errorf("status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("servers", "unlink", ".mcp.json"); code == 0 || !strings.Contains(aside, "is not linked") {
		t.Errorf("status %d\n%s", code, aside)
	}
}
