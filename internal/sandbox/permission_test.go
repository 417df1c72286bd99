package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// A permission for a missing file becomes one to write its folder. A permission for a link becomes
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
	g := Grant{Read: []string{"/a"}, Write: []string{"/b"}, Files: []string{"/c/d"}, Hosts: []string{"example.org"}, Network: AnyNetwork, Desktop: true, Install: true, Browser: true}
	back := g.Permissions().Grant()
	if !reflect.DeepEqual(back, g) {
		t.Errorf("%+v, want %+v", back, g)
	}
}

// A new file in a folder that belongs to many programs, such as the home folder, makes only the file
// writable. Elsewhere it makes the folder writable.
func TestNewFilesOfFoldersThatHoldMuch(t *testing.T) {
	for path, want := range map[string]Permission{
		"/home/ada/notes.txt":             {Kind: ToWriteFile, Path: "/home/ada/notes.txt"},
		"/home/ada/.config/tool.json":     {Kind: ToWriteFile, Path: "/home/ada/.config/tool.json"},
		"/home/ada/.local/share/tool.db":  {Kind: ToWriteFile, Path: "/home/ada/.local/share/tool.db"},
		"/home/ada/.config/tool/a.json":   {Kind: ToWrite, Path: "/home/ada/.config/tool"},
		"/home/ada/work/project/new/a.go": {Kind: ToWrite, Path: "/home/ada/work/project/new"},
	} {
		if got := newFile(path, "/home/ada"); got != want {
			t.Errorf("%s needs %v, want %v", path, got, want)
		}
	}
}
