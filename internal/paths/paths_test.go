package paths

import (
	"path/filepath"
	"testing"
)

func TestWithinComparesWholeNames(t *testing.T) {
	for _, c := range []struct {
		path, dir string
		want      bool
	}{
		{"/home/me", "/home/me", true},
		{"/home/me/a", "/home/me", true},
		{"/home/me/..a", "/home/me", true},
		{"/home/me/a", "/", true},
		{"/", "/", true},
		{"/home/me/", "/home/me", true},
		{"/home/me/a", "/home/me/", true},
		{"/home/me/a/../b", "/home/me", true},
		{"/home/me2", "/home/me", false},
		{"/home", "/home/me", false},
		{"/home/me/../you", "/home/me", false},
		{"", "/home/me", false},
		{"a", "/", false},
		{"/a", "", false},
		{"a/b", "a", true},
	} {
		if got := Within(filepath.FromSlash(c.path), filepath.FromSlash(c.dir)); got != c.want {
			t.Errorf("Within(%q, %q) is %v", c.path, c.dir, got)
		}
	}
}
