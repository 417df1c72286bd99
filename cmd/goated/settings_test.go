package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/ui/view"
)

func TestSettingsKeepWhatIsNotTheirs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "settings.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"model":"old","theme":"dark","futureThing":{"a":[1,2]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := loadSettings(path)
	if err != nil || s.Model != "old" {
		t.Fatalf("%+v, %v", s, err)
	}
	s.Model = ""
	s = s.Used(view.Launch{Path: "/t/a.py"})
	if err := saveSettings(path, s); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	for _, want := range []string{`"futureThing"`, `"theme": "dark"`, `"/t/a.py"`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is not in\n%s", want, data)
		}
	}
	if strings.Contains(string(data), `"model"`) {
		t.Errorf("the old model is still in\n%s", data)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSettingsThatCanNotBeReadAreNotLost(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(path, []byte(`{"model": oops`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := saveSettings(path, view.Settings{Theme: "dark"}); err == nil {
		t.Error("they are overwritten")
	}
	if data, _ := os.ReadFile(path); string(data) != `{"model": oops` {
		t.Errorf("the file holds %s", data)
	}
}

func TestSettingsBeginInAFolderOfTheirOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "yet", "settings.json")
	if err := saveSettings(path, view.Settings{Welcomed: true}); err != nil {
		t.Fatal(err)
	}
	if s, err := loadSettings(path); err != nil || !s.Welcomed {
		t.Errorf("%+v, %v", s, err)
	}
}
