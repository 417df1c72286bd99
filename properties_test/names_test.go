package properties_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goated/registry"
)

// functionName matches the names that all Gemini backends accept.
var functionName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,62}$`)

type pair struct{ server, tool string }

func pairs() *rapid.Generator[pair] {
	long := rapid.Map(rapid.IntRange(15, 80), func(n int) string { return strings.Repeat("a", n) })
	part := rapid.OneOf(
		rapid.StringMatching(`[ab_-]{0,4}`), // short, so that underscores occur in both roles
		rapid.StringMatching(`[a-z][a-z0-9-]{0,23}`),
		rapid.StringMatching(`[A-Za-z0-9_.:/ -]{0,70}`),
		texts(), long,
	)
	return rapid.Custom(func(t *rapid.T) pair { return pair{part.Draw(t, "server"), part.Draw(t, "tool")} })
}

// forged returns pairs derived from the name of another pair. They would get the same name if
// Qualify only joined the parts.
func forged(p pair) *rapid.Generator[pair] {
	return rapid.Custom(func(t *rapid.T) pair {
		name := registry.Qualify(p.server, p.tool)
		switch rapid.IntRange(0, 3).Draw(t, "forgery") {
		case 0: // split at another place
			i := rapid.IntRange(0, len(name)).Draw(t, "cut")
			return pair{name[:i], strings.TrimPrefix(strings.TrimPrefix(name[i:], "_"), "_")}
		case 1: // the same server has a tool whose name looks like the digest
			return pair{p.server, strings.TrimPrefix(name, p.server+"__")}
		case 2: // the server to which the name leads also has one
			return pair{registry.ServerID(p.server), strings.TrimPrefix(name, registry.ServerID(p.server)+"__")}
		}
		both := p.server + "__" + p.tool
		i := rapid.IntRange(0, len(both)).Draw(t, "cut")
		return pair{both[:i], both[i:]}
	})
}

// This follows from property 3: a model identifies a tool by one string. So no two tools share a
// name, every provider accepts it, and it depends only on the server and the tool.
func TestNamesAreInjective(t *testing.T) {
	named := make(map[string]pair) // over all checks
	note := func(t *rapid.T, p pair) {
		name := registry.Qualify(p.server, p.tool)
		if !functionName.MatchString(name) {
			t.Fatalf("%q is named %q, which is no function name", p, name)
		}
		if other, ok := named[name]; ok && other != p {
			t.Fatalf("%q and %q are both named %q", p, other, name)
		}
		named[name] = p
		if again := registry.Qualify(p.server, p.tool); again != name {
			t.Fatalf("%q is named %q, and then %q", p, name, again)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := pairs().Draw(t, "pair")
		note(t, p)
		for range rapid.IntRange(1, 4).Draw(t, "forgeries") {
			p = forged(p).Draw(t, "forged")
			note(t, p)
		}
	})
}

// Histories and permissions contain names, so these must never change.
func TestNamesAreStable(t *testing.T) {
	for p, want := range map[pair]string{
		{"ghost", "manage_memory"}: "ghost__manage_memory",
		{"fs", "read.file"}:        "fs__read-file-xh3hr5vjne0ak4skf",
		{"", ""}:                   "server__-xltan1td1g45nltsc",
	} {
		if got := registry.Qualify(p.server, p.tool); got != want {
			t.Errorf("%q is named %q, want %q", p, got, want)
		}
	}
}

// Names contain a host's server ID unchanged.
func TestServerIDs(t *testing.T) {
	legal := regexp.MustCompile(`^[a-z][a-z0-9-]{0,19}$`)
	rapid.Check(t, func(t *rapid.T) {
		name := texts().Draw(t, "name")
		id := registry.ServerID(name)
		if !legal.MatchString(id) || registry.ServerID(id) != id {
			t.Fatalf("%q has the id %q, which has %q", name, id, registry.ServerID(id))
		}
		if got := registry.Qualify(id+"-999", "x_y-z"); got != id+"-999__x_y-z" {
			t.Fatalf("a tool of %q is named %q", id, got)
		}
	})
}
