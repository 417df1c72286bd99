package catalog

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A download with too many redirects used to be refused for an address without https.
func TestTooManyRedirects(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
	}))
	t.Cleanup(srv.Close)
	_, err := (&Client{}).Download(t.Context(), srv.URL+"/", "")
	if err == nil || !strings.HasSuffix(err.Error(), ": it redirects too often") {
		t.Error(err)
	}
	srv.Config.Handler = http.RedirectHandler("http://example.com/", http.StatusFound)
	_, err = (&Client{}).Download(t.Context(), srv.URL, "")
	if err == nil || !strings.HasSuffix(err.Error(), ": it redirects to an address without https") {
		t.Error(err)
	}
}

// A download waited forever for a server that sent nothing more.
func TestADownloadThatStalls(t *testing.T) {
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
		_, err := (&Client{stall: 50 * time.Millisecond}).Download(ctx, srv.URL+path, "")
		if err == nil || !strings.HasSuffix(err.Error(), ": the server sends nothing more. Try again") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Each of these options lets a runner load code beside the pinned package.
func TestDivertingOptions(t *testing.T) {
	for _, c := range [][2]string{{"npm", "-w"}, {"npm", "--workspace=x"}, {"npm", "--node-options=--require=/tmp/x.js"}, {"pypi", "-w"}} {
		if diverted(c[0], []string{c[1]}) == "" {
			t.Errorf("%s passes %s", c[0], c[1])
		}
	}
}
