package ui_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/ui"
)

// clientFiles writes configuration files of other clients below a new home folder.
func clientFiles(t *testing.T, files map[string]string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	for name, text := range files {
		file := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A user who turned on an imported server without its token got a sheet "Add a server" with
// irrelevant fields. The server got the token without "Bearer". Esc left the server on.
func TestASavedServerAsksForItsValuesAlone(t *testing.T) {
	var mu sync.Mutex
	sent := make(map[string]bool)
	s := mcp.NewServer(&mcp.Implementation{Name: "linear", Version: "1"}, nil)
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		sent[r.Header.Get("Authorization")] = true
		mu.Unlock()
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() }) // closes after the host
	clientFiles(t, map[string]string{".cursor/mcp.json": `{"mcpServers":{"linear":{"url":"` + web.URL + `/mcp","headers":{"Authorization":"Bearer ${env:GOATED_NO_TOK}"}}}}`})
	keyring := new(ring)
	d := hosted(t, ui.Options{Keyring: keyring.secrets()})
	d.run("Import servers from other apps…")
	d.until("the servers are listed", func() bool { return d.Reads("Found in Cursor") })
	d.Press("linear")
	d.Press("Import 1 server")
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	d.Press("Tools")
	d.sees("Needs a value")
	d.Key(fyne.KeyHome)
	d.Key(fyne.KeySpace)
	d.until("the sheet opens", func() bool { return d.Reads("Values of linear") })
	for _, other := range []string{"Connect a tool", "Environment", "More arguments", "Working directory"} {
		if d.Reads(other) {
			t.Errorf("the sheet shows %q", other)
		}
	}
	d.until("it is on", func() bool { return !d.saved.get().Launch[0].Off })
	d.Key(fyne.KeyEscape)
	d.until("it is off again", func() bool { return d.saved.get().Launch[0].Off })
	d.Key(fyne.KeySpace)
	d.until("the sheet opens again", func() bool { return d.Reads("Values of linear") })
	d.Enter("GOATED_NO_TOK", "abc")
	d.Press("Start")
	d.until("it is on and runs", func() bool { return !d.saved.get().Launch[0].Off && d.host.Snapshot().Connected() == 1 })
	mu.Lock()
	defer mu.Unlock()
	if len(sent) != 1 || !sent["Bearer abc"] {
		t.Errorf("the server got %v", sent)
	}
	if l := d.saved.get().Launch[0]; l.Off || keyring.values() != "abc" || strings.Contains(l.Headers[0].Value+l.Env[0].Value, "abc") {
		t.Errorf("saved is %+v, the keyring has %q", l, keyring.values())
	}
}
