package config

import "testing"

// Saved servers are distinguished by how they run and by their names, so that one server can be
// saved with two accounts.
func TestSame(t *testing.T) {
	npx := Launch{Command: "npx", Args: []string{"-y", "server-github"}}
	work, home := npx, npx
	work.Name, home.Name = "GitHub Work", "GitHub Home"
	elsewhere := Launch{Command: "go", Args: []string{"run", "."}, Dir: "/a"}
	for _, c := range []struct {
		name string
		a, b Launch
		want bool
	}{
		{"the same command", npx, npx, true},
		{"a name that only one has", npx, work, true},
		{"two accounts", work, home, false},
		{"other arguments", npx, Launch{Command: "npx", Args: []string{"-y", "server-gitlab"}}, false},
		{"a program and a script of one path", Launch{Path: "/a.py"}, Launch{Command: "/a.py"}, false},
		{"a command in another folder", elsewhere, Launch{Command: "go", Args: []string{"run", "."}, Dir: "/b"}, false},
		{"a script in another folder", Launch{Path: "/a.py", Dir: "/a"}, Launch{Path: "/a.py"}, true},
		{"two URLs", Launch{URL: "https://a.example/mcp"}, Launch{URL: "https://b.example/mcp"}, false},
	} {
		if got := c.a.Same(c.b); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
