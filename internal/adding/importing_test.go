package adding

import (
	"io"
	"strings"
	"testing"

	"goated/internal/config"
)

// What decides what a server does is shown, and no key. A value cannot look like another line.
func TestDetailsShowAllButKeys(t *testing.T) {
	l := config.Launch{
		Dir: "/tmp/some where",
		Env: []config.Variable{
			{Name: "NODE_OPTIONS", Value: "--require /tmp/evil.js"}, {Name: "API_KEY", Value: "SECRET"}, {Name: "OTHER", Value: "sk-proj-SECRETSECRETSECRETSECRET1234"},
			{Name: "HTTPS_PROXY", Value: "http://me:SECRET@evil.example:8080"}, {Name: "HIDDEN", Value: "SECRET", Ref: "input"}, {Name: "EMPTY"}, {Name: "LINES", Value: "a\n  allowed  b"},
		},
		Headers: []config.Variable{{Name: "X-Tenant", Value: "acme"}, {Name: "Authorization", Value: "Bearer SECRET"}},
	}
	var b strings.Builder
	Details(&b, ">", l)
	want := `> in the folder '/tmp/some where'
> NODE_OPTIONS='--require /tmp/evil.js'
> API_KEY=…
> OTHER=…
> HTTPS_PROXY='http://…@evil.example:8080'
> HIDDEN=…
> EMPTY=
> LINES=$'a\x0a  allowed  b'
> with the header X-Tenant: acme
> with the header Authorization: …
`
	if b.String() != want {
		t.Errorf("details are\n%s\nwant\n%s", b.String(), want)
	}
}

// A server that the user names twice is imported once.
func TestEachServerIsChosenOnce(t *testing.T) {
	list := []Importable{{}, {}, {}}
	for i, name := range []string{"one", "two", "three"} {
		list[i].Name = name
	}
	called := func(chosen []Importable) string {
		var names []string
		for _, c := range chosen {
			names = append(names, c.Name)
		}
		return strings.Join(names, " ")
	}
	for answer, want := range map[string]string{"1 1": "one", "3,1,3": "three one", "all": "one two three", "none": "", "": ""} {
		if chosen, err := picked(answer, list); err != nil || called(chosen) != want {
			t.Errorf("%q chooses %q, want %q: %v", answer, called(chosen), want, err)
		}
	}
	term := Terminal{Out: io.Discard, Aside: io.Discard}
	if chosen, err := term.Choose(t.Context(), list, false, []string{"two", "TWO", "one"}); err != nil || called(chosen) != "two one" {
		t.Errorf("the names choose %q: %v", called(chosen), err)
	}
}
