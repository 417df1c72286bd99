package download

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A download with too many redirects used to be refused for an address without https.
func TestRedirects(t *testing.T) {
	safe := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(safe.Close)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/end":
			_, _ = w.Write([]byte("the file"))
		case r.URL.Path == "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		}
	}))
	t.Cleanup(srv.Close)
	safe.Config.Handler = srv.Config.Handler
	const plain, often = "it redirects to an address without https", "it redirects too often"
	for _, c := range []struct {
		source        Source
		address, want string
	}{
		{Source{}, srv.URL + "/?to=/end", ""},
		{Source{}, srv.URL + "/loop", often},
		{Source{}, srv.URL + "/?to=http://example.com/", plain},
		{Source{}, srv.URL + "/?to=file:///etc/passwd", plain},
		{Source{}, safe.URL + "/?to=/end", ""},
		{Source{}, safe.URL + "/?to=" + srv.URL + "/end", plain},
		{Source{Plain: true}, safe.URL + "/?to=" + srv.URL + "/end", plain},
		{Source{}, srv.URL + "/?to=" + safe.URL + "/end", ""},
		{Source{}, "http://example.com/file", "it is not at an https address"},
		{Source{Plain: true}, "file:///etc/passwd", "it is not at an https address"},
	} {
		c.source.HTTP = safe.Client()
		got := ""
		if resp, err := c.source.Open(t.Context(), c.address, ""); err != nil {
			got = err.Error()
		} else {
			_ = resp.Body.Close()
		}
		if got != c.want {
			t.Errorf("%s (plain: %t): %q, want %q", c.address, c.source.Plain, got, c.want)
		}
	}
}

// A download waited forever for a server that sent nothing more.
func TestStalledServers(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/part" {
			_, _ = w.Write([]byte("a part"))
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	}))
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for _, path := range []string{"/", "/part"} {
		resp, err := Source{Stall: 50 * time.Millisecond}.Open(ctx, srv.URL+path, "")
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		if err == nil || !strings.HasSuffix(err.Error(), "the server sends nothing more. Try again") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestStatusOfTheServer(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(srv.Close)
	if _, err := (Source{}).Open(t.Context(), srv.URL, ""); err == nil || err.Error() != "it answers with HTTP 404" {
		t.Error(err)
	}
}
