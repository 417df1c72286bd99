package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A permission for a missing file is one to write its folder. A permission for a link is
// one for its target.
func TestPlaced(t *testing.T) {
	dir := resolveLinks(t.TempDir())
	file, link := filepath.Join(dir, "a.txt"), filepath.Join(resolveLinks(t.TempDir()), "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(dir, link)); err != nil {
		t.Fatal(err)
	}
	for p, want := range map[Permission]Permission{
		{Kind: ToRead, Path: file}:                           {Kind: ToRead, Path: file},
		{Kind: ToRead, Path: filepath.Join(dir, "b", "c.d")}: {Kind: ToWrite, Path: dir},
		{Kind: ToWrite, Path: link}:                          {Kind: ToWrite, Path: dir},
		{Kind: ToRead, Path: filepath.Join(link, "a.txt")}:   {Kind: ToRead, Path: file},
		{Kind: ToNetwork}:                                    {Kind: ToNetwork},
	} {
		if got := p.Placed(); got != want {
			t.Errorf("%v.Placed() = %v", p, got)
		}
	}
}

func TestPermissionsOfAGrant(t *testing.T) {
	g := Grant{Read: []string{"/a"}, Write: []string{"/b"}, Network: AnyNetwork, Desktop: true}
	back := g.Permissions().Grant()
	if !slices.Equal(back.Read, g.Read) || !slices.Equal(back.Write, g.Write) || back.Network != g.Network || !back.Desktop {
		t.Errorf("%+v", back)
	}
}

// Python names no path when a socket is refused.
func TestNeedsOfASocket(t *testing.T) {
	for line, want := range map[string]int{
		"urllib.error.URLError: <urlopen error [Errno 13] Permission denied>": 1,
		"PermissionError: [Errno 13] Permission denied":                       1,
		"KeyError: 'lookup failed'":                                           0,
		"PermissionError: [Errno 1] Operation not permitted":                  0,
	} {
		if got := Needs(Policy{}, nil, []string{line}); len(got) != want || want == 1 && got[0].Kind != ToNetwork {
			t.Errorf("%s: %v", line, got)
		}
	}
}
