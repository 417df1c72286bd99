package state_test

import (
	"os"
	"path/filepath"
	"testing"

	"goated/internal/state"
)

type number struct {
	N int `json:"n"`
}

// list encodes to JSON that is not an object.
type list struct{ N int }

func (list) MarshalJSON() ([]byte, error) { return []byte("[1]"), nil }

// Save returns every error and leaves the file unchanged.
func TestSaveReturnsErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(t *testing.T, path string) // makes the save fail
		value   any
	}{
		"folder is a file": {func(t *testing.T, path string) { replaceByFile(t, filepath.Dir(path)) }, number{2}},
		"lock":             {func(t *testing.T, path string) { mkdir(t, path+".lock") }, number{2}},
		"file":             {func(t *testing.T, path string) { mkdir(t, path) }, number{2}},
		"backup":           {func(t *testing.T, path string) { mkdir(t, path+".bak"+state.Part) }, number{2}},
		"temporary file":   {func(t *testing.T, path string) { mkdir(t, path+state.Part) }, number{2}},
		"no JSON":          {func(*testing.T, string) {}, struct{ F func() }{}},
		"no object":        {func(*testing.T, string) {}, list{}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "folder", "x.json")
			if err := (state.File{Path: path}).Save(number{1}); err != nil {
				t.Fatal(err)
			}
			if name == "file" {
				_ = os.Remove(path)
			}
			_ = os.Remove(path + ".lock")
			tt.prepare(t, path)
			before, _ := os.ReadFile(path)
			if err := (state.File{Path: path}).Save(tt.value); err == nil {
				t.Error("Save returns no error")
			}
			if after, _ := os.ReadFile(path); string(after) != string(before) {
				t.Errorf("the file is %q, it was %q", after, before)
			}
		})
	}
}

func TestLoadReturnsErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	mkdir(t, path)
	if _, err := (state.File{Path: path}).Load(new(number)); err == nil {
		t.Error("a folder can be read")
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func replaceByFile(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}
