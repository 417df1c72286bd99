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

// An entry must not replace the pinned package through a variable.
func TestDivertingVariables(t *testing.T) {
	for name, refused := range map[string]bool{
		"NODE_OPTIONS": true, "npm_config_registry": true, "UV_INDEX_URL": true, "PIP_EXTRA_INDEX_URL": true, "PYTHONPATH": true, "LD_PRELOAD": true, "PATH": true,
		"NODE_ENV": false, "PYTHONUNBUFFERED": false, "API_PATH": false, "UVICORN_PORT": false, "PIPELINE": false,
	} {
		for _, fixed := range []bool{true, false} {
			n := Named{Name: name, Input: Input{Description: "A value"}}
			if fixed {
				n.Value = "x"
			}
			_, err := (Way{Package: Package{Type: "npm", Identifier: "fs-mcp", Version: "1.0.0", Env: []Named{n}}}).Plan(nil)
			if got := err != nil && strings.Contains(err.Error(), "the entry sets "+name); got != (refused && fixed) {
				t.Errorf("%s (fixed: %t): %v", name, fixed, err)
			}
		}
	}
	container := Way{Package: Package{Type: "oci", Identifier: "ghcr.io/ada/fs", Version: "1", Env: []Named{{Name: "PYTHONPATH", Input: Input{Value: "/app"}}}}}
	if _, err := container.Plan(nil); err != nil {
		t.Error(err)
	}
	container.Package.Env[0].Name = "DOCKER_HOST"
	if _, err := container.Plan(nil); err == nil {
		t.Error("an entry chooses the docker that runs it")
	}
}
