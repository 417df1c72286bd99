package ui_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/ui"
)

// A tokens is a server with a URL that records the headers of its requests.
type tokens struct {
	*httptest.Server
	mu   sync.Mutex
	sent []string
}

func newTokens(t *testing.T) *tokens {
	s := mcp.NewServer(&mcp.Implementation{Name: "lin", Version: "1"}, nil)
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	k := &tokens{}
	k.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k.mu.Lock()
		k.sent = append(k.sent, r.Header.Get("Authorization"))
		k.mu.Unlock()
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { k.CloseClientConnections(); k.Close() }) // closes after the host
	return k
}

// asked reports whether a request arrived.
func (k *tokens) asked() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.sent) > 0
}

// got returns the different header values that the server received.
func (k *tokens) got() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	var all []string
	for _, s := range k.sent {
		if len(all) == 0 || all[len(all)-1] != s {
			all = append(all, s)
		}
	}
	return strings.Join(all, "|")
}

// For a key in an address, the sheet asked for the whole address.
func TestAKeyInAnAddressIsAskedFor(t *testing.T) {
	k, keyring := newTokens(t), new(ring)
	var path atomic.Value
	inner := k.Config.Handler
	k.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path.Store(r.URL.RequestURI())
		inner.ServeHTTP(w, r)
	})
	d := hosted(t, ui.Options{Keyring: keyring.secrets()})
	d.openConnect()
	d.FocusField(scriptField)
	d.Paste(k.URL + "/mcp?read=true&apiKey=YOUR_API_KEY")
	d.Key(fyne.KeyReturn)
	d.sees("It needs apiKey.")
	d.Paste("T&K")
	d.Key(fyne.KeyReturn)
	d.connected()
	if got := path.Load(); got != "/mcp?read=true&apiKey=T%26K" {
		t.Errorf("the server got %v", got)
	}
	d.until("its key is not in the settings", func() bool {
		list := d.saved.get().Launch
		return len(list) == 1 && list[0].URL == k.URL+"/mcp?read=true&apiKey=${input:apiKey}" && len(list[0].Env) == 1 && list[0].Env[0].Ref != ""
	})
}

// The field of a header held a hidden "Bearer " with the cursor in front of it, so a pasted
// token became "TOK123Bearer".
func TestATokenIsPastedWhereTheCursorIs(t *testing.T) {
	for _, c := range []struct{ header, paste, want string }{
		{"Bearer YOUR_API_KEY", "TOK123", "Bearer TOK123"},
		{"Bearer YOUR_API_KEY", "Bearer TOK123", "Bearer TOK123"},
		{"Bearer YOUR_API_KEY", " TOK123\n", "Bearer TOK123"},
		{"Token YOUR_API_KEY", "TOK123", "Token TOK123"},
		{"Bearer ${input:GOATED_NO_TOK}", "bearer TOK123 ", "Bearer TOK123"},
	} {
		k, keyring := newTokens(t), new(ring)
		d := hosted(t, ui.Options{Keyring: keyring.secrets()})
		d.openConnect()
		d.FocusField(scriptField)
		d.Paste(`claude mcp add --transport http lin ` + k.URL + `/mcp --header "Authorization: ` + c.header + `"`)
		d.Key(fyne.KeyReturn)
		d.until("it asks", func() bool { return d.Find("It needs ") != "" })
		for _, text := range d.Texts() {
			if strings.HasPrefix(text, "•") {
				t.Errorf("%s: a field holds %q", c.header, text)
			}
		}
		d.Paste(c.paste)
		d.Key(fyne.KeyReturn)
		d.connected()
		if got := k.got(); got != c.want {
			t.Errorf("%s, pasted %q: the server got %q", c.header, c.paste, got)
		}
	}
}
