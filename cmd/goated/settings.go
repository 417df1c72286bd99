package main

import (
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"

	"goated/internal/config"
	"goated/internal/state"
)

// dataDir returns the folder for goated's own files.
func (o *options) dataDir() string {
	if o.data != "" {
		if abs, err := filepath.Abs(o.data); err == nil {
			return abs
		}
		return o.data
	}
	return filepath.Join(xdg.DataHome, "goated")
}

// serversDir returns the parent of the folders that servers write.
func serversDir(data string) string { return filepath.Join(data, "servers") }

// settingsFile returns the path of the settings file, which need not exist.
func (o *options) settingsFile() string {
	if o.data != "" {
		return filepath.Join(o.dataDir(), "settings.json")
	}
	return filepath.Join(xdg.ConfigHome, "goated", "settings.json")
}

// settingsStore returns the settings file.
func (o *options) settingsStore() state.File { return state.File{Path: o.settingsFile()} }

// loadSettings reads the settings. If it cannot, it returns the defaults, and a warning with the
// reason.
func (o *options) loadSettings() (s config.Settings, warning error) {
	warning, err := o.settingsStore().Load(&s)
	if err != nil {
		return s, fmt.Errorf("the settings can't be read, so goated uses the defaults and does not save changes: %w", err)
	}
	return s, warning
}
