package sandbox

import (
	"slices"
	"testing"

	"goated/internal/sandbox/limit"
)

// goated asks once for a limit that the system saw the server reach, even if the server reports it
// too.
func TestNeedsReachedLimit(t *testing.T) {
	want := []Permission{{Kind: ToLimit, Limit: limit.Memory, Amount: 16 << 30}}
	for _, text := range [][]string{nil, {"MemoryError"}} {
		if got := Needs(Policy{Limits: DefaultLimits}, Evidence{Reached: []limit.Kind{limit.Memory}, Text: text}); !slices.Equal(got, want) {
			t.Errorf("%q: asks for %v", text, got)
		}
	}
}

// npm could not fetch the headers for an optional module of mongodb-mcp-server. The server then
// exited because it could not create its folder. goated named the host of the headers as the cause,
// and asked for two hosts and the folder at once.
func TestFailureThatNamesItsFileAsksForNothingElse(t *testing.T) {
	node, hub := Permission{Kind: ToHost, Host: "nodejs.org"}, Permission{Kind: ToHost, Host: "github.com"}
	folder, file := Permission{Kind: ToWrite, Path: "/home/ann/.mongodb"}, Permission{Kind: ToWriteFile, Path: "/home/ann/.lock"}
	install := Permission{Kind: ToInstall}
	mkdir := "Fatal error running server: Error: EACCES: permission denied, mkdir '/home/ann/.mongodb'"
	for name, c := range map[string]struct {
		fatal   string
		text    []string
		refused []Permission
		want    []Permission
	}{
		"the folder that it names":          {fatal: mkdir, refused: []Permission{node, hub, folder}, want: []Permission{folder}},
		"not observed, but said":            {fatal: mkdir, refused: []Permission{node, hub}, want: []Permission{folder}},
		"the folder, and what it needs":     {fatal: mkdir, refused: []Permission{install, node, folder}, want: []Permission{install, folder}},
		"the host that it names":            {fatal: "Error: request to https://nodejs.org/dist failed", refused: []Permission{node, hub, folder}, want: []Permission{node}},
		"a file that it only mentions":      {fatal: "see /home/ann/.mongodb for settings", refused: []Permission{node, folder}, want: []Permission{folder, node}},
		"a file that an earlier line names": {fatal: "It failed.", text: []string{"cannot lock /home/ann/.lock"}, refused: []Permission{node, file}, want: []Permission{file, node}},
		"nothing":                           {fatal: "It failed.", refused: []Permission{node, hub, folder}, want: []Permission{node, hub}},
	} {
		e := Evidence{Refused: c.refused, Fatal: c.fatal, Text: append(c.text, c.fatal)}
		for _, p := range c.refused {
			if p.Path != "" {
				e.Blocked = append(e.Blocked, p)
			}
		}
		if got := Needs(Policy{Network: NamedHosts}, e); !slices.Equal(got, c.want) {
			t.Errorf("%s: asks for %v, want %v", name, got, c.want)
		}
	}
}
