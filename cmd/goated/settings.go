package main

import (
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"

	"goated/internal/config"
	"goated/internal/state"
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

// kept is the file that the settings are kept in.
func (o *options) kept() state.File { return state.File{Path: o.settingsFile()} }

// loadSettings reads the settings. Where that can't be done they are the defaults,
// and the warning says why.
func (o *options) loadSettings() (s config.Settings, warning error) {
	warning, err := o.kept().Load(&s)
	if err != nil {
		return s, fmt.Errorf("the settings can't be read, so the defaults are used, and changes of them are not saved: %w", err)
	}
	return s, warning
}
