package environ_test

import (
	"slices"
	"testing"

	"goated/client/internal/environ"
)

// A server inherits the listed variables, but no secrets: no keys, no password of a module proxy,
// and no shell functions, which a shell executes when it starts.
func TestInherited(t *testing.T) {
	t.Parallel()
	env := []string{
		"PATH=/bin", "LC_TIME=C", "GEMINI_API_KEY=secret", "malformed",
		"HOME=() { :; }; touch /tmp/x", "BASH_FUNC_ls%%=() { :; }",
		"GOFLAGS=-mod=mod", "GOPROXY=https://ada:secret@proxy.test", "GOSUMDB=sum.test", "GOPRIVATE=a.test",
		"SSH_AUTH_SOCK=/run/agent",
	}
	for _, tt := range []struct {
		program string
		want    []string
	}{
		{"python3", []string{"PATH=/bin", "LC_TIME=C", "KEY=mine"}},
		{"ssh", []string{"PATH=/bin", "LC_TIME=C", "SSH_AUTH_SOCK=/run/agent", "KEY=mine"}}, // it used to lack the agent, even without the sandbox
		{"go", []string{"PATH=/bin", "LC_TIME=C", "GOFLAGS=-mod=mod", "GOSUMDB=sum.test", "KEY=mine"}},
	} {
		if got := environ.Inherited(env, tt.program, []string{"KEY=mine"}); !slices.Equal(got, tt.want) {
			t.Errorf("%s inherits %q, want %q", tt.program, got, tt.want)
		}
	}
	open := []string{"GOPROXY=https://proxy.test,direct"}
	if got := environ.Inherited(open, "go", nil); !slices.Equal(got, open) {
		t.Errorf("a proxy without a password becomes %q", got)
	}
}
