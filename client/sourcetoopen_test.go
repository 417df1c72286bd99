//go:build unix

package client_test

import (
	"os"
	"path/filepath"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/sandbox"
)

// A server's output may name any file, and a button opens the diagnosed file on the desktop.
// That file is always the script or a source in the script's folder.
func TestOnlyTheScriptsOwnSourcesAreOpened(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe()) // without a sandbox, a server has no separate folder
	}
	const syntax = "  File \"%s\", line 1\n    x\nSyntaxError: invalid syntax"
	const caught = "Traceback (most recent call last):\n  File \"%s\", line 1, in <module>\nValueError: x"
	for i, tt := range []struct{ name, says, file, want string }{
		{"a mistake in a module", syntax, "here + '/lib/b.py'", "lib/b.py"},
		{"an error in a module", caught, "here + '/lib/b.py'", "lib/b.py"},
		{"a starter of its own folder", syntax, "state + '/x.desktop'", "a.py"},
		{"a starter, by an error", caught, "state + '/x.desktop'", "a.py"},
		{"a source that it wrote itself", syntax, "state + '/x.py'", "a.py"},
		{"a starter beside the script", syntax, "here + '/x.desktop'", "a.py"},
		{"a source elsewhere", syntax, "here + '/../other/o.py'", "a.py"},
		{"a link to elsewhere", caught, "here + '/link.py'", "a.py"},
		{"a source that is a link to a starter", syntax, "here + '/linked.py'", "a.py"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && i%4 > 0 {
				t.Skip("another interpreter, which the race detector does not see")
			}
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(root, "mine")
			script := "import os, sys\nstate, here = os.environ['STATE_DIRECTORY'], os.path.dirname(__file__)\n" +
				"for name in ('x.desktop', 'x.py'):\n    open(state + '/' + name, 'w').close()\n" +
				"file = " + tt.file + "\nsys.exit('''" + tt.says + "''' % file)\n"
			for name, text := range map[string]string{"mine/a.py": script, "mine/lib/b.py": "", "mine/x.desktop": "", "other/o.py": ""} {
				path := filepath.Join(root, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for from, to := range map[string]string{"link.py": "../other/o.py", "linked.py": "x.desktop"} {
				if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
					t.Fatal(err)
				}
			}
			// The server's own folder is inside the script's folder. Its files are not opened.
			h := host(t, client.Options{Data: filepath.Join(dir, "data")})
			d := diagnosis(t, h, client.Config{Path: filepath.Join(dir, "a.py")})
			if d.Cause != diagnose.SyntaxError && d.Cause != diagnose.UncaughtError {
				t.Fatalf("%+v", d)
			}
			if want := filepath.Join(dir, filepath.FromSlash(tt.want)); d.Args.Open != want {
				t.Errorf("it opens %s, want %s", d.Args.Open, want)
			}
		})
	}
}
