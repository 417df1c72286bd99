package serverflags

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"goated/internal/config"
	"goated/internal/sandbox"
)

// An error names the flags in front of the only --server too. Without their names, they were given
// to each server of a text with several.
func TestFlagsInFrontAreNamed(t *testing.T) {
	var o List
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.Register(flags)
	if err := flags.Parse([]string{"--env", "A=1", "--server", "a", "--allow-network"}); err != nil {
		t.Fatal(err)
	}
	list, err := o.Bound(nil)
	if err != nil || len(list) != 1 || !slices.Equal(list[0].Flags, []string{"--env", "--allow-network"}) {
		t.Errorf("%+v, %v", list, err)
	}
}

// Arguments, variables and permissions belong to one server. Each flag applies to the --server
// before it. Earlier, a server could print the secret of another one.
func TestFlagsBelongToOneServer(t *testing.T) {
	for _, c := range []struct {
		name  string
		args  string
		saved []string // commands of saved servers
		want  []string
		err   string
	}{
		{"behind each server", "--server a --env A=1 --allow-host x.example --server b --env B=2", nil, []string{"a A=1 x.example", "b B=2"}, ""},
		{"in front of the only one", "--env A=1 --no-sandbox --server a", nil, []string{"a A=1 free"}, ""},
		{"in front of several", "--env A=1 --server a --server b", nil, nil, "--env comes before several --server"},
		{"of the only saved server", "--allow-network", []string{"one-mcp"}, []string{"one net"}, ""},
		{"of several saved servers", "--allow-network", []string{"one-mcp", "two-mcp"}, nil, "Put --server NAME in front of it; the saved servers are one, two"},
		{"of no server", "--allow-network", nil, nil, "belongs to a server"},
		{"none", "", []string{"one-mcp"}, nil, ""},
		{"turned off", "--server a --no-sandbox=false --allow-network=false", nil, []string{"a"}, ""},
		{"turned off again", "--no-sandbox --server a --allow-network --allow-network=false", nil, []string{"a free"}, ""},
	} {
		var o List
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		o.Register(flags)
		if err := flags.Parse(strings.Fields(c.args)); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var saved []config.Launch
		for _, command := range c.saved {
			saved = append(saved, config.Launch{Command: command})
		}
		list, err := o.Bound(saved)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got []string
		for _, one := range list {
			words := append([]string{one.Text}, append(one.Env, one.hosts...)...)
			if one.network {
				words = append(words, "net")
			}
			if one.NoSandbox {
				words = append(words, "free")
			}
			got = append(got, strings.Join(words, " "))
		}
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestEnvironOfTheCommandLine(t *testing.T) {
	t.Setenv("SHADE", "green")
	if got, err := Environ([]string{"A=1", "SHADE", "B=x=y", "C="}); err != nil || !slices.Equal(got, []string{"A=1", "SHADE=green", "B=x=y", "C="}) {
		t.Errorf("%q, %v", got, err)
	}
	for _, word := range []string{"NOT_THERE_AT_ALL", "1A=2", "=x", "A B=c"} {
		if got, err := Environ([]string{word}); err == nil {
			t.Errorf("%q is taken as %q", word, got)
		}
	}
}

// Allowing a link requires the path of its target instead, because a server may have created the
// link.
func TestAllowedPathsAreNoLinks(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe()) // without a sandbox, links cannot mislead its rules
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, link := filepath.Join(base, "dir"), filepath.Join(base, "link")
	if err := os.MkdirAll(filepath.Join(dir, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	ps, err := (&Target{reads: []string{dir}, writes: []string{filepath.Join(dir, "x")}}).Grant()
	if err != nil || len(ps) != 2 {
		t.Errorf("%+v, %v", ps, err)
	}
	for _, o := range []*Target{{reads: []string{link}}, {writes: []string{filepath.Join(link, "x")}}} {
		if _, err := o.Grant(); err == nil || !strings.Contains(err.Error(), " "+dir) {
			t.Errorf("%+v: it says %v", o, err)
		}
	}
}

// The errors for a time without a unit and for a negative time suggest what to write instead.
func TestTimeLimits(t *testing.T) {
	var l Limit
	if err := l.Set("90s"); err != nil || l.String() != "1m30s" {
		t.Errorf("%v, %v", l, err)
	}
	for text, says := range map[string]string{"5": "Write 5s for seconds, 5m for minutes", "-5s": "can't be negative", "-5": "can't be negative", "soon": "Write 90s for seconds"} {
		if err := l.Set(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
