package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/internal/config"
)

// Saved settings can be loaded again. Unknown members of the file stay.
func TestSettingsAreKept(t *testing.T) {
	o := &options{data: filepath.Join(t.TempDir(), "none", "yet")}
	want := config.Settings{Welcomed: true, TimeLimits: config.TimeLimits{CallTimeout: config.Limit(time.Minute)}}.WithRecent(config.Launch{Path: "/t/a.py"})
	if err := o.settingsStore().Save(want); err != nil {
		t.Fatal(err)
	}
	got, warning := o.loadSettings()
	if warning != nil || !got.Welcomed || got.CallTimeout != want.CallTimeout || len(got.Recent) != 1 {
		t.Errorf("%+v, %v", got, warning)
	}
}

// If the settings are damaged, goated uses the last good ones or the defaults, and warns.
func TestSettingsThatAreDamaged(t *testing.T) {
	o := &options{data: t.TempDir()}
	if err := os.WriteFile(o.settingsFile(), []byte(`{"model": oops`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, warning := o.loadSettings()
	aside, _ := filepath.Glob(o.settingsFile() + ".corrupt-*")
	if got.Model != "" || warning == nil || len(aside) != 1 || !strings.Contains(warning.Error(), aside[0]) {
		t.Errorf("%+v, %v, %v", got, warning, aside)
	}
	if data, _ := os.ReadFile(aside[0]); string(data) != `{"model": oops` {
		t.Errorf("the file holds %s", data)
	}
}
