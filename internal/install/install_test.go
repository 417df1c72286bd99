package install

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/internal/config"
	"goated/internal/inputs"
)

// Before the user installs a bundle that replaces another one, the label shows that.
func TestAnUpdateIsShown(t *testing.T) {
	in := New(t.TempDir(), "", "linux")
	for _, c := range []struct{ name, version, says string }{
		{"Shop", "1.0.0", "bundle Shop 1.0.0, "},
		{"Shop", "1.1.0", "update of the installed version 1.0.0: bundle Shop 1.1.0, "},
		{"shop!", "2.0.0", "bundle shop! 2.0.0, "},
	} {
		choice, err := in.Bundle(packed(t, c.name, c.version))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(choice.Label, c.says) {
			t.Errorf("the label is %q, not %q", choice.Label, c.says)
		}
		if _, err := in.Install(t.Context(), choice, inputs.Values{}); err != nil {
			t.Error(err)
		}
		choice.Close()
	}
}

// Installing a bundle, or another version of a package, updates the server that is already saved. A
// server with another folder or another variable may be a separate one.
func TestWhatAnInstallationUpdates(t *testing.T) {
	in := New(t.TempDir(), "", "linux")
	bundle := filepath.Join(in.Bundles.Path, "shop", "bundle")
	npx := func(words ...string) config.Launch {
		return config.Launch{Command: "npx", Args: append([]string{"-y"}, words...)}
	}
	with := func(l config.Launch, value string) config.Launch {
		l.Env = []config.Variable{{Name: "ROOT", Value: value}, {Name: "KEY", Value: "k-" + value, Ref: "server-" + value}}
		return l
	}
	for name, c := range map[string]struct {
		saved, next config.Launch
		updates     bool
	}{
		"the same bundle":     {config.Launch{Command: "node", Args: []string{"a.js"}, Dir: bundle}, config.Launch{Command: "node", Args: []string{"b.js"}, Dir: bundle}, true},
		"another version":     {npx("@ada/x@1.0.0", "/a"), npx("@ada/x@1.0.1", "/a"), true},
		"perhaps an account":  {with(npx("@ada/x@1.0.0", "/a"), "a"), with(npx("@ada/x@1.0.1", "/a"), "a"), false}, // its secret would be lost
		"the same version":    {npx("@ada/x@1.0.0", "/a"), npx("@ada/x@1.0.0", "/a"), false},                       // there is nothing to update
		"another folder":      {npx("@ada/x@1.0.0", "/a"), npx("@ada/x@1.0.1", "/b"), false},
		"another variable":    {with(npx("@ada/x@1.0.0"), "a"), with(npx("@ada/x@1.0.1"), "b"), false},
		"another package":     {npx("@ada/x@1.0.0"), npx("@ada/y@1.0.1"), false},
		"of Python":           {config.Launch{Command: "uvx", Args: []string{"x@1.0.0"}}, config.Launch{Command: "uvx", Args: []string{"x@1.0.1"}}, true},
		"an image":            {config.Launch{Command: "docker", Args: []string{"run", "-i", "--rm", "x/y:1.0"}}, config.Launch{Command: "docker", Args: []string{"run", "-i", "--rm", "x/y:1.1"}}, true},
		"a server with a URL": {config.Launch{URL: "https://a.test/mcp"}, config.Launch{URL: "https://a.test/mcp"}, false},
	} {
		c.saved.Name, c.next.Name = "mine", "Shop"
		was, now, ok := in.Updates(c.next, []config.Launch{c.saved})
		if ok != c.updates {
			t.Errorf("%s: %t", name, ok)
		}
		if ok && (was.Name != "mine" || now.Name != "mine" || !slices.Equal(now.Args, c.next.Args)) {
			t.Errorf("%s: %+v becomes %+v", name, was, now)
		}
	}
}

// If two servers have the same package, an installation updates neither, because it could be the
// wrong one.
func TestAnInstallationGuessesNoServer(t *testing.T) {
	in := New(t.TempDir(), "", "linux")
	server := func(name, version string) config.Launch {
		return config.Launch{Name: name, Command: "npx", Args: []string{"-y", "@ada/x@" + version}}
	}
	saved := []config.Launch{server("work", "1.0.0"), server("home", "1.0.1")}
	if was, _, ok := in.Updates(server("x", "1.0.2"), saved); ok {
		t.Errorf("it updates %s", was.Name)
	}
	if name, ok := OtherVersion(server("x", "1.0.2"), saved); !ok || name != "work" {
		t.Errorf("it names %q", name)
	}
}

// packed writes a bundle to a file, and returns its path.
func packed(t *testing.T, name, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.mcpb")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for file, text := range map[string]string{
		"manifest.json": `{"manifest_version":"0.3","name":"` + name + `","version":"` + version + `","description":"d","author":{"name":"a"},
			"server":{"type":"node","entry_point":"index.js","mcp_config":{"command":"node","args":["${__dirname}/index.js"]}}}`,
		"index.js": "",
	} {
		w, err := z.Create(file)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
