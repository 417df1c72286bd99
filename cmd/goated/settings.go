package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"github.com/adrg/xdg"
	"github.com/google/renameio/v2/maybe"

	"goated/ui/view"
)

// dataDir is where goated keeps what it makes.
func (o *options) dataDir() string {
	if o.data != "" {
		if abs, err := filepath.Abs(o.data); err == nil {
			return abs
		}
		return o.data
	}
	return filepath.Join(xdg.DataHome, "goated")
}

// settingsFile is where the settings are, whether or not there are any.
func (o *options) settingsFile() string {
	if o.data != "" {
		return filepath.Join(o.dataDir(), "settings.json")
	}
	return filepath.Join(xdg.ConfigHome, "goated", "settings.json")
}

// loadSettings reads the settings. A file that can't be read is an error, not a
// reason to start with others.
func loadSettings(path string) (view.Settings, error) {
	var s view.Settings
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("reading the settings: %w", err)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("the settings in %s can't be read: %w. Mend the file, or move it away to start with the defaults", path, err)
	}
	return s, nil
}

// saveSettings writes the settings. What it does not know in the file, such as
// the settings of a newer goated, stays. Readers see the old file or the new
// one, also after a crash.
func saveSettings(path string, s view.Settings) error {
	members := make(map[string]json.RawMessage)
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("saving the settings: %w", err)
	case json.Unmarshal(data, &members) != nil:
		return fmt.Errorf("the settings were not saved: what is in %s can't be read, and is not to be lost", path)
	}
	for _, name := range settingNames() {
		delete(members, name)
	}
	if data, err = json.Marshal(s); err == nil {
		err = json.Unmarshal(data, &members) // adds to what is there
	}
	if err == nil {
		data, err = json.MarshalIndent(members, "", "  ")
	}
	if err != nil {
		return fmt.Errorf("saving the settings: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("saving the settings: %w", err)
	}
	if err := maybe.WriteFile(path, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("saving the settings: %w", err)
	}
	return syncDir(filepath.Dir(path))
}

// settingNames are the members of the file that are known. One that has its
// default is left out of it, and must not stay from before.
func settingNames() []string {
	var names []string
	for f := range reflect.TypeFor[view.Settings]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// syncDir makes a rename in a folder outlast a crash. Where folders can't be
// synced, as on Windows, the system does it.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("saving the settings: %w", err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && runtime.GOOS != "windows" {
		return fmt.Errorf("saving the settings: %w", err)
	}
	return nil
}
