package pause

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A damaged file does not stop the user from changing their preferences, and the last good one
// comes back.
func TestDamagedPreferencesComeBack(t *testing.T) {
	data := t.TempDir()
	s := connect(t, Options{Data: data}, nil)
	for _, name := range []string{"quotes", "tabs"} {
		if r, _ := call(t, s, "remember_preference", `{"category":"style","decision":"`+name+`","value":"yes"}`); r.IsError {
			t.Fatalf("%+v", r)
		}
	}
	if err := os.WriteFile(filepath.Join(data, "preferences.json"), []byte(`{"version":`), 0o600); err != nil {
		t.Fatal(err)
	}
	r, _ := call(t, s, "check_preference", `{"category":"style","decision":"quotes"}`)
	if text, _ := json.Marshal(r.StructuredContent); r.IsError || !strings.Contains(string(text), `"found":true`) {
		t.Errorf("%s", text)
	}
	if r, _ := call(t, s, "set_dialog_frequency", `{"frequency":"minimal"}`); r.IsError {
		t.Errorf("%+v", r)
	}
}
