package ui_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/config"
	"goated/ui"
)

// keyed is a server that writes its environment variables and arguments to stderr.
const keyed = `import os, sys; print("given", os.environ.get("REGION"), os.environ.get("PASS"), sys.argv[1:], file=sys.stderr)`

// The inputs of --add-mcp were lost: the server got the text ${input:…}, and the settings saved
// it.
func TestInputsAreAskedFor(t *testing.T) {
	keyring := new(ring)
	d := hosted(t, ui.Options{Keyring: keyring.secrets()})
	script := scriptOf(t, "keyed.py", keyed)
	d.openConnect()
	d.Enter(scriptField, `code --add-mcp '{"name":"keyed","command":"python3","args":["`+script+`","--key=${input:k}","${input:region}"],"env":{"REGION":"${input:region}","PASS":"id-${input:k}"},`+
		`"inputs":[{"id":"k","type":"promptString","description":"The key of the shop","password":true},{"id":"region","type":"pickString","options":["eu","us"]}]}'`)
	d.Press("Add and start")
	d.sees("It needs The key of the shop.")
	if len(d.host.Snapshot().Servers) > 0 {
		t.Fatal("the server runs without its key")
	}
	d.Enter("The key of the shop", "s3cret")
	d.Enter("eu, us", "mars")
	d.Press("Add and start")
	d.sees("Choose one of eu, us.")
	d.Enter("eu, us", "eu")
	d.Press("Add and start")
	d.wrote("given eu id-s3cret ['--key=s3cret', 'eu']")
	d.connected()
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	l := d.saved.get().Launch[0]
	if got := strings.Join(l.Args, " "); !strings.HasSuffix(got, "--key=${input:k} eu") {
		t.Errorf("saved are %q", l.Args)
	}
	for _, v := range l.Env {
		if strings.Contains(v.Value, "s3cret") || v.Name != "REGION" && v.Ref == "" {
			t.Errorf("saved is %+v", v)
		}
	}
	if held := keyring.values(); !strings.Contains(held, "id-s3cret") || strings.Count(held, "s3cret") != 2 {
		t.Errorf("the keyring has %q", held)
	}

	// The saved server starts again with its values.
	d.disconnect()
	d.Press("Connect")
	d.wrote("given eu id-s3cret ['--key=s3cret', 'eu']")
}

// The import used the defaults of inputs, and saved a server with an input without a default as
// off.
func TestImportsAskForInputs(t *testing.T) {
	python := pythonPath(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	file := filepath.Join(home, ".config", "Code", "User", "mcp.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	text := `{"inputs":[{"id":"k","type":"promptString","description":"The key of the shop","password":true}],
		"servers":{"keyed":{"command":"` + python + `","args":["` + scriptOf(t, "keyed.py", keyed) + `","${workspaceFolder}"],"env":{"PASS":"${input:k}"}}}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	keyring := new(ring)
	d := hosted(t, ui.Options{Keyring: keyring.secrets()})
	d.run("Import servers from other apps…")
	d.until("the servers are listed", func() bool { return d.Reads("Found in VS Code") })
	d.Press("keyed")
	d.sees("The key of the shop")
	d.sees("the folder of your project")
	d.Enter("The key of the shop", "s3cret")
	d.Enter("the folder of your project", "/srv/shop")
	d.Press("Import 1 server")
	d.wrote("given None s3cret ['/srv/shop']")
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	if l := d.saved.get().Launch; len(l) != 1 || l[0].Off || l[0].Env[0].Value != "" || keyring.values() != "s3cret" {
		t.Errorf("saved is %+v, the keyring has %q", l, keyring.values())
	}
}

// The user enters the client of a sign-in as variables of the server. It is not sent as a
// header, and its secret is in the keyring.
func TestClientOfASignIn(t *testing.T) {
	var sent atomic.Bool
	s := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(config.ClientID) != "" || r.Header.Get(config.ClientSecret) != "" {
			sent.Store(true)
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() }) // closes after the host
	keyring := new(ring)
	d := hosted(t, ui.Options{Keyring: keyring.secrets()})
	d.openConnect()
	d.Enter(scriptField, web.URL+"/mcp")
	d.Press("Headers")
	d.FocusField("NAME")
	d.Paste(config.ClientID + "=mine\n" + config.ClientSecret + "=hush\n")
	d.Press("Add and start")
	d.connected()
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	l := d.saved.get().Launch[0]
	if len(l.Env) != 2 || l.Env[0].Value != "mine" || l.Env[1].Value != "" || len(l.Headers) > 0 || keyring.values() != "hush" || sent.Load() {
		t.Errorf("saved is %+v, the keyring has %q, sent: %v", l, keyring.values(), sent.Load())
	}
}

// The settings contained the key of an address in plain text, and also the token behind a
// reference in a header.
func TestKeysOfAddressesAreInTheKeyring(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	s := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Query().Get("api_key")+" "+r.Header.Get("Authorization"))
		mu.Unlock()
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() }) // closes after the host
	keyring := new(ring)
	d := hosted(t, ui.Options{Keyring: keyring.secrets()})
	d.openConnect()
	d.Enter(scriptField, `{"inputs":[{"id":"t","password":true,"description":"The token"}],"servers":{"shop":{"url":"`+web.URL+`/mcp?api_key=p%26rr","headers":{"Authorization":"Bearer ${input:t}"}}}}`)
	d.Enter("The token", "t0p")
	d.Press("Add and start")
	d.connected()
	check := func() {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		if len(asked) == 0 {
			t.Error("nobody asked the server")
		}
		for _, a := range asked {
			if a != "p&rr Bearer t0p" {
				t.Errorf("the server got %q", a)
			}
		}
		asked = nil
	}
	check()
	d.until("it is saved", func() bool { return len(d.saved.get().Launch) == 1 })
	saved, _ := json.Marshal(d.saved.get())
	if text := string(saved); strings.Contains(text, "p%26rr") || strings.Contains(text, "p&rr") || strings.Contains(text, `p\u0026rr`) || strings.Contains(text, "t0p") || !strings.Contains(text, "api_key=${input:api_key}") {
		t.Errorf("saved is %s", text)
	}
	if held := keyring.values(); !strings.Contains(held, "p&rr") || !strings.Contains(held, "Bearer t0p") {
		t.Errorf("the keyring has %q", held)
	}
	d.disconnect()
	d.Press("Connect")
	d.connected()
	check()
}
