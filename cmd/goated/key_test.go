package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// This test covers the first minutes with a key: no key, a key as it was pasted, a wrong key, and a
// company's proxy. goated tells the user in each case what to do.
func TestFirstUseOfAKey(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("Hello there.") })
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte("<html>Blocked by ACME</html>"))
	}))
	defer proxy.Close()
	key := geminitest.DefaultKey
	base := len(p.env)
	for _, c := range []struct {
		name     string
		env      []string
		code     int
		out, err string
	}{
		{"no key", []string{"GEMINI_API_KEY="}, 1, "", "No model is answering: set GEMINI_API_KEY, or run \"goated key set\"."},
		{"a line break in it", []string{"GEMINI_API_KEY=" + key[:4] + "\n" + key[4:] + "\r\n"}, 0, "Hello there.", ""},
		{"quotes and its name", []string{`GEMINI_API_KEY=GEMINI_API_KEY="` + key + `"`}, 0, "Hello there.", ""},
		{"a wrong one", []string{"GEMINI_API_KEY=wrong"}, 1, "", "goated has the key from the variable GEMINI_API_KEY."},
		{"the page of a proxy", []string{"HTTP_PROXY=" + proxy.URL, "GOOGLE_GEMINI_BASE_URL=http://gemini.test"}, 1, "", "goated can't reach Gemini: something else answered (403 Forbidden), such as a company's proxy"},
		{"a proxy with a login", []string{"HTTPS_PROXY=" + proxy.URL, "GOOGLE_GEMINI_BASE_URL=https://gemini.test"}, 1, "", "the proxy wants a name and a password"},
		{"a proxy that is away", []string{"HTTPS_PROXY=http://127.0.0.1:1", "GOOGLE_GEMINI_BASE_URL=https://gemini.test"}, 1, "", "the proxy of your settings (HTTPS_PROXY) does not answer: connection refused"},
	} {
		p.env = append(p.env[:base:base], c.env...)
		out, aside, code := p.run("chat", "--no-bundled", "--no-history", "-p", "hello")
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(aside, c.err) || strings.Contains(aside, "<html>") {
			t.Errorf("%s: status %d\n%s%s", c.name, code, out, aside)
		}
	}
}

// At the end of the input, which Ctrl+C is as well, the command said "reading the key: EOF".
func TestNoKeyIsEntered(t *testing.T) {
	nothing, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	own := os.Stdin
	os.Stdin = nothing
	t.Cleanup(func() {
		os.Stdin = own
		_ = nothing.Close()
	})
	c := keyCommand(&options{})
	c.SetArgs([]string{"set"})
	if err := c.Execute(); err == nil || err.Error() != "no key was entered; nothing changed" {
		t.Error(err)
	}
}
