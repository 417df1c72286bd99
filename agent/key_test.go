package agent

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

const canary = "AIzaCanary-31337"

// transport is a function that implements [http.RoundTripper].
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// No error contains the key, even if its cause does: a network error or a message of the API.
func TestErrorsHideTheKey(t *testing.T) {
	s := geminitest.New(t, geminitest.Key(canary))
	s.Script(geminitest.Fail(400, "INVALID_ARGUMENT", "the key "+canary+" may not do this"))
	broken := transport(func(r *http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("proxy refused %v", r.Header)
	})
	for name, o := range map[string]GeminiOptions{
		"network": {Key: canary, BaseURL: s.URL, HTTPClient: &http.Client{Transport: broken}},
		"API":     {Key: canary, BaseURL: s.URL},
	} {
		g, err := NewGemini(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = collect(t.Context(), &Session{Model: g, Tools: tools(echo)}, "hello")
		if err == nil || !strings.Contains(err.Error(), "[key]") {
			t.Errorf("%s: the error %v does not show where the key was", name, err)
		}
		for ; err != nil; err = errors.Unwrap(err) {
			if strings.Contains(fmt.Sprintf("%+v", err), canary) {
				t.Errorf("%s: the key is in %+v", name, err)
			}
		}
	}
}

// The key is sent only to the host that it is for.
func TestKeyFollowsNoRedirectToAnotherHost(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("another host got a request with the headers %v", r.Header)
	}))
	defer elsewhere.Close()
	asked := 0
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer front.Close()
	g, err := NewGemini(t.Context(), GeminiOptions{Key: canary, BaseURL: front.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := collect(t.Context(), &Session{Model: g, Tools: tools(echo)}, "hello"); err == nil || !strings.Contains(err.Error(), "key") {
		t.Errorf("the error is %v", err)
	}
	if _, err := g.Models(t.Context()); err == nil {
		t.Error("the models of another host are listed")
	}
	if asked == 0 {
		t.Error("nothing was asked")
	}
}
