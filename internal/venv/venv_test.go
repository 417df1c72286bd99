//go:build unix

package venv

import (
	"path/filepath"
	"testing"
)

// A script given by its path, and one that a plain python3 runs, use the environment beside them.
// An interpreter given by its path is the user's choice.
func TestScript(t *testing.T) {
	t.Parallel()
	here, err := filepath.Abs("a.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path, command string
		args          []string
		dir, want     string
	}{
		{"/x/a.py", "", []string{"b.py"}, "", "/x/a.py"},
		{"/x/a.js", "", nil, "", ""},
		{"a.py", "", nil, "/y", here},
		{"", "python3", []string{"/x/a.py", "b.py"}, "", "/x/a.py"},
		{"", "python", []string{"-u", "a.py"}, "/x", "/x/a.py"},
		{"", "python3", []string{"-m", "a.py"}, "", ""},
		{"", "python3", []string{"-c", "x", "a.py"}, "", ""},
		{"", "python3", []string{"-X", "dev", "/x/a.py"}, "", ""},
		{"", "python3", nil, "", ""},
		{"", "/usr/bin/python3", []string{"/x/a.py"}, "", ""},
		{"", "uv", []string{"/x/a.py"}, "", ""},
	} {
		if got := Script(tt.path, tt.command, tt.args, tt.dir); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
