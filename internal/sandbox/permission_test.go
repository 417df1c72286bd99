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
		{Kind: ToRead, Path: filepath.Join(dir, "b", "c.d")}: {Kind: ToWrite, Path: filepath.Join(dir, "b")},
		{Kind: ToRead, Path: filepath.Join(dir, "new.txt")}:  {Kind: ToWrite, Path: dir},
		{Kind: ToWrite, Path: filepath.Join(dir, "new")}:     {Kind: ToWrite, Path: filepath.Join(dir, "new")},
		{Kind: ToWrite, Path: link}:                          {Kind: ToWrite, Path: dir},
		{Kind: ToRead, Path: filepath.Join(link, "a.txt")}:   {Kind: ToRead, Path: file},
		{Kind: ToNetwork}:                                    {Kind: ToNetwork},
	} {
		if got := p.Resolved(); got != want {
			t.Errorf("%v.Resolved() = %v", p, got)
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
