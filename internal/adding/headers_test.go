package adding

import (
	"slices"
	"testing"

	"goated/internal/config"
	"goated/internal/launch"
)

// The variables for the sign-in do not become headers, for a saved server and for a pasted one.
func TestVariablesForTheSignIn(t *testing.T) {
	want := []config.Variable{{Name: config.ClientID, Value: "mine"}, {Name: config.ClientSecret, Value: "hush"}}
	var s launch.Server
	s.Remote.URL = "https://mcp.example.org"
	s, _, rest, err := Given(s, nil, want, nil)
	if err != nil || len(s.Remote.Headers) > 0 || !slices.Equal(rest, want) {
		t.Errorf("%v, headers %v, left %v", err, s.Remote.Headers, rest)
	}
	if l := (Terminal{}).Complete(t.Context(), s, nil, rest); !slices.Equal(l.Env, want) || len(l.Headers) > 0 {
		t.Errorf("the server has %v and the headers %v", l.Env, l.Headers)
	}
	l := config.Launch{URL: "https://mcp.example.org", Env: []config.Variable{{Name: config.ClientID, Value: "old"}}}
	if l, err = Passed(l, want, nil); err != nil || !slices.Equal(l.Env, want) || len(l.Headers) > 0 {
		t.Errorf("%v, %v and the headers %v", err, l.Env, l.Headers)
	}
}
