package mcpb

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// called returns an opened bundle with the given name, and one file with the given text.
func called(t *testing.T, name, text string) *Bundle {
	t.Helper()
	b, err := Open(packed(t, entry{"manifest.json", strings.Replace(manifest, `"name":"My Files"`, `"name":"`+name+`"`, 1), 0}, entry{"server/index.js", text, 0}), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// "天気" replaced "翻訳", and "github!" replaced "GitHub": the saved server of one bundle then ran the
// other, with its own secrets.
func TestBundlesWithSimilarNamesAreApart(t *testing.T) {
	folder := Folder{t.TempDir()}
	names := []string{"天気", "翻訳", "GitHub", "github", "github!", "con", "bundle-con", "a.b", "a-b", strings.Repeat("a", 60) + "b", strings.Repeat("a", 60) + "c"}
	// The second of these names is also the folder of another bundle.
	names = append(names, hashed("other!"), "other!!")
	var dirs []string
	for _, name := range names {
		i, err := folder.Install(t.Context(), called(t, name, name), "")
		if err != nil {
			t.Fatal(name, err)
		}
		if slices.Contains(dirs, i.Dir) {
			t.Errorf("%s is in the folder of another bundle: %s", name, i.Dir)
		}
		dirs = append(dirs, i.Dir)
	}
	for n, dir := range dirs {
		if text, err := os.ReadFile(filepath.Join(dir, "server/index.js")); string(text) != names[n] {
			t.Errorf("the folder of %s has %s, %v", names[n], text, err)
		}
		i, err := folder.Install(t.Context(), called(t, names[n], "new"), "")
		if err != nil || i.Dir != dir {
			t.Errorf("an update of %s is in %s, not in %s: %v", names[n], i.Dir, dir, err)
		}
	}
	_, err := folder.Install(t.Context(), called(t, "other!", ""), "")
	if err == nil || !strings.Contains(err.Error(), hashed("other!")) {
		t.Errorf("a bundle replaced one with another name: %v", err)
	}
}

// An update of a bundle from an earlier version of goated stays in its folder, because saved
// servers refer to it.
func TestAnUpdateStaysInTheFolderOfAnEarlierVersion(t *testing.T) {
	folder := Folder{t.TempDir()}
	i, err := folder.Install(t.Context(), called(t, "GitHub", "one"), "")
	if err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(folder.Path, "github")
	if err := os.Rename(filepath.Dir(i.Dir), old); err != nil {
		t.Fatal(err)
	}
	if i, err = folder.Install(t.Context(), called(t, "GitHub", "two"), ""); err != nil || i.Dir != filepath.Join(old, files) {
		t.Errorf("the update is in %s, %v", i.Dir, err)
	}
	if i, err = folder.Install(t.Context(), called(t, "github", "other"), ""); err != nil || i.Dir == filepath.Join(old, files) {
		t.Errorf("a bundle with another name is in %s, %v", i.Dir, err)
	}
}
