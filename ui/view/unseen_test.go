package view

import (
	"strings"
	"testing"

	"goated/registry"
)

// A question mentions that "always" also covers code that goated cannot see, and claims nothing
// more.
func TestCodeUnseen(t *testing.T) {
	entry := func(start string, unseen, bundled bool) registry.Entry {
		return registry.Entry{Bundled: bundled, Origin: registry.Origin{Start: start, Unseen: unseen}}
	}
	for _, c := range []struct {
		entries []registry.Entry
		want    string
	}{
		{nil, ""},
		{[]registry.Entry{entry("npx mail", false, false)}, ""},
		{[]registry.Entry{entry("goated ghost", true, true)}, ""},
		{[]registry.Entry{entry("npx mail", false, false), entry("docker run mail", true, false)}, "can't see all code"},
		{[]registry.Entry{entry("https://mail.example/mcp", true, false)}, "at its address"},
		{[]registry.Entry{entry("npx mcp-remote https://mail.example/mcp", true, false)}, "can't see all code"},
	} {
		if got := CodeUnseen(c.entries...); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q", c.entries, got)
		}
	}
}
