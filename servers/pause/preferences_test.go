package pause

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If the preferences file is damaged, the user can still change their preferences, and the last
// good file is restored.
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

// A decision is found in another spelling, and is not saved twice. If it is not found, the answer
// lists the known decisions.
func TestADecisionHasOneSpelling(t *testing.T) {
	s := connect(t, Options{Data: t.TempDir()}, nil)
	for _, c := range [][3]string{
		{"remember_preference", `{"category":"style","decision":"test_framework","value":"go test"}`, `{"remembered":"style.test_framework"}`},
		{"check_preference", `{"category":"Style ","decision":"Test Framework"}`, `{"found":true,"shouldAsk":false,"value":"go test"}`},
		{"remember_preference", `{"category":"style","decision":"Test-Framework","value":"ginkgo"}`, `{"remembered":"style.test_framework"}`},
		{"check_preference", `{"category":"style","decision":"test_framework"}`, `{"found":true,"shouldAsk":false,"value":"ginkgo"}`},
		{"check_preference", `{"category":"style","decision":"tests"}`, `{"found":false,"known":["style.test_framework"],"shouldAsk":true}`},
		{"check_preference", `{"category":"architecture","decision":"ui"}`, `{"found":false,"known":["style.test_framework"],"shouldAsk":true}`},
		{"reset_preferences", `{"confirm":true}`, `{"removed":1}`},
	} {
		r, _ := call(t, s, c[0], c[1])
		if text, _ := json.Marshal(r.StructuredContent); string(text) != c[2] {
			t.Errorf("%s %s: %s, want %s", c[0], c[1], text, c[2])
		}
	}
}

// If the preferences cannot be read or saved, the model does not call again with other arguments.
func TestUnreadablePreferencesAreNoWrongArguments(t *testing.T) {
	data := t.TempDir()
	if err := os.Mkdir(filepath.Join(data, "preferences.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := connect(t, Options{Data: data}, nil)
	for tool, arguments := range map[string]string{
		"set_dialog_frequency": `{"frequency":"low"}`,
		"remember_preference":  `{"category":"style","decision":"quotes","value":"yes"}`,
		"check_preference":     `{"category":"style","decision":"quotes"}`,
		"reset_preferences":    `{"confirm":true}`,
		"should_ask_user":      `{"type":"cache","category":"style","importance":"high"}`,
	} {
		if r, text := call(t, s, tool, arguments); !r.IsError || strings.Contains(text, correctAndRepeat) || !strings.Contains(text, "Tell the user that the preferences cannot be read or saved") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if r, text := call(t, s, "reset_preferences", `{"confirm":false}`); !r.IsError || !strings.Contains(text, correctAndRepeat) {
		t.Errorf("a wrong argument: %s", text)
	}
}
