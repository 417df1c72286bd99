//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"goated/internal/proctest"
)

// If a browser may not write its settings, goated asks for the permission for a browser rather than
// for its settings. Chromium exits before it creates a socket if its own sandbox is refused.
func TestABrowserIsKnownByItsWrites(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	home, programs := resolveLinks(t.TempDir()), resolveLinks(t.TempDir())
	t.Setenv("HOME", home)
	config := filepath.Join(home, ".config")
	if err := os.Mkdir(config, 0o700); err != nil {
		t.Fatal(err)
	}
	shell, err := os.ReadFile("/bin/sh")
	if err != nil {
		t.Skip(err)
	}
	chromium := filepath.Join(programs, "chromium")
	if err := proctest.WriteProgram(chromium, shell); err != nil {
		t.Fatal(err)
	}
	run := func(p Policy) (refused []Permission) {
		cmd := exec.Command(chromium, "-c", ": > "+filepath.Join(config, "settings"))
		got := make(chan Permission, 10)
		s, err := Start(cmd, p, func(q Permission) { got <- q })
		if err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the shell fails
		s.Close()
		close(got)
		for q := range got {
			refused = append(refused, q)
		}
		return refused
	}
	p := For(chromium, "", t.TempDir(), nil).With(Grant{Read: []string{programs}, Network: NamedHosts})
	if got := run(p); !slices.Contains(got, Permission{Kind: ToBrowser}) || len(got) != 1 {
		t.Errorf("without the permission it reports %v", got)
	}
	if got := run(p.With(Grant{Browser: true})); len(got) != 0 {
		t.Errorf("with the permission it reports %v", got)
	}
}

// goated does not ask about hosts that a browser contacts on its own, unless the failure is about
// them.
func TestABrowsersOwnHostsAreNoQuestion(t *testing.T) {
	t.Setenv("HOME", "/h")
	p := Policy{Network: NamedHosts, Enclosure: Enclosure{Browser: true}}
	own, page := Permission{Kind: ToHost, Host: "update.googleapis.com"}, Permission{Kind: ToHost, Host: "example.org"}
	if got := Needs(p, Evidence{Refused: []Permission{own, page}}); !slices.Equal(got, []Permission{page}) {
		t.Errorf("%v", got)
	}
	if got := Needs(p, Evidence{Refused: []Permission{own}, Text: []string{"net::ERR at https://update.googleapis.com/"}}); !slices.Equal(got, []Permission{own}) {
		t.Errorf("%v, although the failure names it", got)
	}
	if got := Needs(Policy{Network: NamedHosts}, Evidence{Refused: []Permission{own}}); !slices.Equal(got, []Permission{own}) {
		t.Errorf("%v, of a server without a browser", got)
	}
	asked := Permission{Kind: ToBrowser}
	if got := Needs(Policy{}, Evidence{Refused: []Permission{asked}, Text: []string{"EACCES: permission denied, mkdir '/h/.cache/ms-playwright-mcp'"}}); !slices.Equal(got, []Permission{asked}) {
		t.Errorf("%v, for a profile", got)
	}
}
