package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
)

// settings are what a person may set for good, in settings.json. The zero value
// means the defaults. Flags go before settings.
type settings struct {
	Model          string   `json:"model,omitempty"`
	ConnectTimeout duration `json:"connectTimeout,omitempty"`
	CallTimeout    duration `json:"callTimeout,omitempty"`
	MaxSteps       int      `json:"maxSteps,omitempty"`
	Thoughts       bool     `json:"thoughts,omitempty"`
	Theme          string   `json:"theme,omitempty"` // light, dark, or empty for the system's
}

// A duration is written as "90s".
type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err == nil && v <= 0 {
		err = fmt.Errorf("%q is not a time limit", text)
	}
	*d = duration(v)
	return err
}

func (d duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

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
func loadSettings(path string) (settings, error) {
	var s settings
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
