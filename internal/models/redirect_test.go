package models

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"goated/internal/config"
)

// A redirecting is a transport that answers https with a redirect to http, and records keys that
// arrive over http.
type redirecting struct{ leaked string }

func (r *redirecting) RoundTrip(req *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if req.URL.Scheme == "https" {
		http.Redirect(w, req, "http://"+req.URL.Host+req.URL.Path, http.StatusTemporaryRedirect)
	} else {
		r.leaked += req.Header.Get("Authorization")
		_, _ = w.WriteString(`{"data":[]}`)
	}
	return w.Result(), nil
}

// Listing models followed redirects to plain HTTP and to other ports of the same host, with the key.
func TestAListOfModelsSendsNoKeyElsewhere(t *testing.T) {
	var leaked string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		leaked += r.Header.Get("Authorization")
		_, _ = w.Write([]byte(`{"data":[]}`))
	}))
	defer other.Close()
	here := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer here.Close()
	plain := &redirecting{}
	for _, url := range []string{here.URL + "/v1", "https://models.example/v1"} {
		settings := config.Settings{}.WithProvider(config.Provider{Name: "Router", URL: url, Key: "ref"})
		s := &Source{
			urls: []local{}, Secret: func(string) (string, error) { return "sk-secret", nil },
			Client: func(string, string) *http.Client { return &http.Client{Transport: plain} },
		}
		g := s.List(t.Context(), settings, url)
		if g.Err == nil || !strings.Contains(g.Err.Error(), "must not get the key") {
			t.Errorf("%s: %v", url, g.Err)
		}
	}
	if leaked+plain.leaked != "" {
		t.Errorf("the keys %q and %q went elsewhere", leaked, plain.leaked)
	}
}
