package state_test

import (
	"path/filepath"
	"testing"

	"goated/internal/state"
)

type embedding struct {
	Name string `json:"name,omitempty"`
	Inner
}

// Inner is embedded, like parts of the settings.
type Inner struct {
	Off []string `json:"off,omitempty"`
}

// If a field of an embedded struct becomes empty, Save removes it from the file. It is not a member
// from a newer version.
func TestEmbeddedFieldsBecomeEmpty(t *testing.T) {
	f := state.File{Path: filepath.Join(t.TempDir(), "s.json")}
	if err := f.Save(&embedding{Name: "a", Inner: Inner{Off: []string{"x"}}}); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(&embedding{Name: "a"}); err != nil {
		t.Fatal(err)
	}
	var got embedding
	if warning, err := f.Load(&got); warning != nil || err != nil || got.Name != "a" || len(got.Off) > 0 {
		t.Errorf("the file has %+v, %v, %v", got, warning, err)
	}
}
