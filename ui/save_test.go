package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/ui"
)

// The sheet writes a whole file or none. It leaves no temporary file behind.
func TestSaveWritesWholeFilesOnly(t *testing.T) {
	d := shown(t, ui.Options{})
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	const field = "/path/to/file"
	save := func(path, data string) {
		t.Helper()
		d.window.Save("a.json", []byte(data))
		d.Enter(field, path)
		d.Press("Save")
	}
	closed := func() bool { return d.Layers() == 0 }
	holds := func(want string) {
		t.Helper()
		if data, _ := os.ReadFile(path); string(data) != want {
			t.Errorf("the file holds %q, not %q", data, want)
		}
	}
	save(path, "one")
	d.until("the sheet closes", closed)
	holds("one")
	save(path, "two")
	d.sees("A file with that name exists. Press Replace to overwrite it.")
	holds("one")
	d.Press("Replace")
	d.until("the sheet closes", closed)
	holds("two")
	for bad, says := range map[string]string{
		"a.json":                        "Enter a full path, such as /home/ada/result.json.",
		filepath.Join(dir, "none", "a"): "The file can't be written: no such file or directory.",
		dir:                             dir + " is not a regular file, so it can't be replaced.",
	} {
		save(bad, "three")
		d.sees(says)
		d.closeSheets()
	}
	holds("two")
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

// The toast of a saved file contains the folder, and keeps the file extension of a long name.
func TestSaveSaysWhere(t *testing.T) {
	d := shown(t, ui.Options{})
	dir := filepath.Join(t.TempDir(), "papers")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	d.window.Save("x.md", []byte("text"))
	d.Enter("/path/to/file", filepath.Join(dir, "A very long name of a conversation that nobody can read at once.md"))
	d.Press("Save")
	d.until("the window says where the file is", func() bool { return d.Says("Saved A very long name") })
	if got := d.Find("Saved A very"); !strings.Contains(got, "….md in ") || !strings.HasSuffix(got, "/papers") {
		t.Errorf("it says %q", got)
	}
}

// Replace turned a symbolic link into a regular file, and lost the mode of the replaced file.
func TestReplaceKeepsTheLinkAndTheMode(t *testing.T) {
	d := shown(t, ui.Options{})
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "link.json")
	if err := os.WriteFile(real, []byte("one"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(real, 0o664); err != nil { // ignores the umask
		t.Fatal(err)
	}
	if err := os.Symlink("real.json", link); err != nil {
		t.Fatal(err)
	}
	d.window.Save("a.json", []byte("two"))
	d.Enter("/path/to/file", link)
	d.Press("Save")
	d.sees("A file with that name exists. Press Replace to overwrite it.")
	d.Press("Replace")
	d.until("the sheet closes", func() bool { return d.Layers() == 0 })
	if to, err := os.Readlink(link); err != nil || to != "real.json" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	data, _ := os.ReadFile(real)
	if info, err := os.Stat(real); err != nil || string(data) != "two" || info.Mode() != 0o664 {
		t.Errorf("the file holds %q with the mode %v, %v", data, info, err)
	}
}
