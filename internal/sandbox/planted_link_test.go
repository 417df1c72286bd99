//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// plantedHome creates a home folder with a key, a project, and a link of the user to that project.
func plantedHome(t *testing.T) (home string, at func(string) string) {
	t.Helper()
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	home = makeHome(t, ".ssh/id", "proj/sub/x", "srv/s.sh", "srv/other.sh")
	at = func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	for name, text := range map[string]string{
		".ssh/id":      "SECRET",
		"srv/s.sh":     "cd $1; mv proj/sub proj/old; ln -s $1/.ssh proj/sub; cat .ssh/id; cat proj/sub/id",
		"srv/other.sh": "cd $1; cat .ssh/id; cat proj/sub/id; echo x >.ssh/authorized_keys; chmod 777 .ssh/id; touch -d 2001-01-01 .ssh; echo lived",
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("proj", at("link")); err != nil {
		t.Fatal(err)
	}
	return home, at
}

// runServer runs a server under g and returns its output.
func runServer(t *testing.T, home, script string, g Grant) string {
	t.Helper()
	p := For("/bin/sh", filepath.Join(home, script), filepath.Join(home, "data", filepath.Base(script)), nil).With(g)
	p.Network = NoNetwork
	cmd := exec.Command("/bin/sh", filepath.Join(home, script), home)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, time.Second
	s, err := Start(cmd, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	_ = cmd.Wait() // most of its attempts fail
	return out.String()
}

// A server replaces a folder by a link. After a restart of that server, or of another server that
// may use the folder, neither can use the target of the link.
func TestNoRuleFollowsAPlantedLink(t *testing.T) {
	for name, tt := range map[string]struct{ first, later Grant }{
		"written, by its name":         {Grant{Write: []string{"proj", "proj/sub"}}, Grant{Write: []string{"proj", "proj/sub"}}},
		"written, by a link":           {Grant{Write: []string{"link", "proj"}}, Grant{Write: []string{"link", "proj/sub"}}},
		"read, by a link":              {Grant{Write: []string{"link", "proj"}}, Grant{Read: []string{"proj/sub"}, Write: []string{"link"}}},
		"present, by a link":           {Grant{Write: []string{"link", "proj"}}, Grant{Present: []string{"proj/sub", "link"}}},
		"the folder, by a link to it":  {Grant{Write: []string{"proj"}}, Grant{Write: []string{"link/sub", "proj"}}},
		"another server's, read":       {Grant{Write: []string{"proj"}}, Grant{Read: []string{"proj/sub"}}},
		"another server's, written":    {Grant{Write: []string{"proj"}}, Grant{Write: []string{"proj/sub"}}},
		"another server's, below that": {Grant{Write: []string{"proj"}}, Grant{Read: []string{"proj/sub/id"}}},
	} {
		t.Run(name, func(t *testing.T) {
			home, at := plantedHome(t)
			for _, g := range []*Grant{&tt.first, &tt.later} {
				for _, paths := range [][]string{g.Read, g.Write, g.Present} {
					for i := range paths {
						paths[i] = at(paths[i])
					}
				}
			}
			output := runServer(t, home, "srv/s.sh", tt.first)
			if info, err := os.Lstat(at("proj/sub")); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Fatalf("the server planted no link: %v: %s", err, output)
			}
			before, err := os.Stat(at(".ssh"))
			if err != nil {
				t.Fatal(err)
			}
			more := runServer(t, home, "srv/other.sh", tt.later)
			if !strings.Contains(more, "lived") {
				t.Errorf("the second server did nothing: %s", more)
			}
			if output += more; strings.Contains(output, "SECRET") {
				t.Errorf("a server read the key: %s", output)
			}
			if _, err := os.Lstat(at(".ssh/authorized_keys")); err == nil {
				t.Error("authorized_keys was written")
			}
			info, err := os.Stat(at(".ssh/id"))
			after, aerr := os.Stat(at(".ssh"))
			if err != nil || aerr != nil || info.Mode().Perm() != 0o600 && info.Mode().Perm() != 0o700 || !after.ModTime().Equal(before.ModTime()) {
				t.Errorf("modes or times were changed: %v, %v, %v", info.Mode(), after.ModTime(), before.ModTime())
			}
		})
	}
}

// Start creates no folder through a link that a server planted.
func TestNothingIsCreatedThroughAPlantedLink(t *testing.T) {
	home, at := plantedHome(t)
	g := Grant{Write: []string{at("proj"), at("proj/sub/planted/deep"), at("proj/new/deep")}}
	runServer(t, home, "srv/s.sh", Grant{Write: g.Write[:1]})
	runServer(t, home, "srv/other.sh", g)
	if _, err := os.Lstat(at(".ssh/planted")); err == nil {
		t.Error("Start created a folder in .ssh")
	}
	if info, err := os.Stat(at("proj/new/deep")); err != nil || !info.IsDir() {
		t.Errorf("Start did not create a missing folder: %v", err)
	}
}

// A server that can write its script's folder cannot open other folders by replacing its script or
// its modules with links.
func TestScriptLinksOfAWritableFolder(t *testing.T) {
	home := makeHome(t, "proj/.venv/bin/python3", "other/s.py", "other/x", "more/node_modules/x")
	at := func(name string) string { return filepath.Join(home, name) }
	for link, to := range map[string]string{"proj/s.py": "other/s.py", "proj/node_modules": "more/node_modules"} {
		if err := os.Symlink(at(to), at(link)); err != nil {
			t.Fatal(err)
		}
	}
	p := For("/usr/bin/python3", at("proj/s.py"), at("data"), nil)
	if !p.reads(at("other/x")) || !p.reads(at("more/node_modules/x")) {
		t.Fatalf("For does not follow links of the user: %q", p.Read)
	}
	for _, g := range []Grant{{Write: []string{at("proj")}}, {Present: []string{at("proj")}}, {Write: []string{home + "/proj/s.py"}}} {
		if p := p.With(g); p.reads(at("other/x")) {
			t.Errorf("%+v: the server reads %q", g, p.Read)
		}
	}
	if p := p.With(Grant{Write: []string{at("proj")}}); p.reads(at("more/node_modules/x")) {
		t.Errorf("the server reads %q", p.System)
	}
}
