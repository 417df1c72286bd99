//go:build unix

package client_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
)

// goated reported that a server refuses the key in any header with the name of a key, although
// the server only requires a sign-in. Such a server refuses only the key in Authorization.
func TestASignInIsNoRefusedKey(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", Resource_Metadata="https://`+r.Host+`/.well-known/oauth-protected-resource"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(s.Close)
	for header, want := range map[string]diagnose.Cause{"X-Api-Key=k": diagnose.SignInNeeded, "authorization=Bearer k": diagnose.KeyRefused} {
		_, err := host(t, client.Options{}).Connect(t.Context(), client.Config{URL: s.URL, Headers: []string{header}})
		if e, ok := errors.AsType[*client.Error](err); !ok || e.Report == nil || e.Report.Cause != want {
			t.Errorf("%s: %v", header, err)
		}
	}
}

// After HTTP 401, goated advised the user to set a header that was already set; in fact its key
// is wrong. After 404 and 500, the last lines of the log were one line for each request.
func TestARejectedHeaderIsNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status  int
		headers []string
		cause   diagnose.Cause
		says    string
	}{
		{http.StatusUnauthorized, []string{"X-Api-Key=k", "authorization=Bearer k", "X-Team=a"}, diagnose.KeyRefused, "does not accept the key in the header authorization (HTTP 401)"},
		{http.StatusUnauthorized, []string{"X-Team=a", "X-Api-Key=k"}, diagnose.KeyRefused, "does not accept the key in the header X-Api-Key (HTTP 401)"},
		{http.StatusUnauthorized, []string{"X-Team=a"}, diagnose.SignInNeeded, "wants you to sign in"},
		{http.StatusNotFound, nil, diagnose.AddressUnknown, "HTTP 404"},
		{http.StatusInternalServerError, nil, diagnose.ServerFailing, "HTTP 500"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(tt.status) }))
		t.Cleanup(s.Close)
		_, err := host(t, client.Options{}).Connect(t.Context(), client.Config{URL: s.URL, Headers: tt.headers})
		var e *client.Error
		if !errors.As(err, &e) || e.Report == nil || e.Report.Cause != tt.cause || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%d with %q: %v", tt.status, tt.headers, err)
			continue
		}
		if lines := slices.Compact(slices.Clone(e.Stderr)); len(lines) != len(e.Stderr) || len(lines) == 0 {
			t.Errorf("%d: its lines are %q", tt.status, e.Stderr)
		}
	}
}
