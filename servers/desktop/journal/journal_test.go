package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func open(t testing.TB, path string, max int64) *Journal {
	t.Helper()
	j, err := Open(path, max)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func record(t testing.TB, j *Journal, method string, request any, after string, failure error) {
	t.Helper()
	a, err := j.Begin(t.Context(), method, request, Subject{Target: "button OK", Before: "enabled"})
	if err == nil {
		err = a.End(after, failure)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestActionsAreRecordedWithBeforeAndAfter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "journal")
	j := open(t, path, 0)
	record(t, j, "ClickElement", map[string]any{"element_id": "e7"}, "pressed", nil)
	if _, err := j.Begin(t.Context(), "WriteElementValue", map[string]any{"value": "naïve 日本語 🙂"}, Subject{Target: "entry"}); err != nil {
		t.Fatal(err)
	}
	record(t, j, "CloseWindow", nil, "", errors.New("it asks to save"))
	entries, err := Read(path)
	if err != nil || len(entries) != 3 {
		t.Fatal(len(entries), err)
	}
	if e := entries[0]; e.Seq != 1 || e.Before != "enabled" || e.After != "pressed" || e.Error != "" || e.Redacted || string(e.Request) != `{"element_id":"e7"}` {
		t.Errorf("%+v", e)
	}
	if entries[1].Error != interrupted || entries[2].Error != "it asks to save" {
		t.Errorf("%+v", entries[1:])
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if info, _ := os.Stat(filepath.Dir(path)); info.Mode().Perm() != 0o700 {
		t.Errorf("the folder's mode is %v", info.Mode())
	}
}

// The files stay below their limit. If a line is incomplete, only its own entry is lost.
func TestJournalIsBoundedAndSurvivesACrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := open(t, path, 4096)
	for i := range 200 {
		record(t, j, "Click", map[string]int{"x": i}, "", nil)
		for _, p := range []string{path, path + ".1"} {
			if info, err := os.Stat(p); err == nil && (info.Size() > 4096 || info.Mode().Perm() != 0o600) {
				t.Fatalf("%s has %d bytes and mode %v", p, info.Size(), info.Mode())
			}
		}
	}
	_ = j.Close()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `{"seq":201,"method":"Cl`)
	_ = f.Close()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	j = open(t, path, 4096)
	record(t, j, "After", nil, "", nil)
	entries, err := Read(path)
	if last := entries[len(entries)-1]; err != nil || last.Method != "After" || last.Seq != 201 {
		t.Errorf("%+v, %v", last, err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v after the crash", info.Mode())
	}
}

// No secret reaches the file, no matter where it is in a request.
func TestSecretsStayOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := "s3cr3t" + rapid.StringMatching(`[A-Za-z0-9]{12}`).Draw(t, "secret")
		name := rapid.SampledFrom([]string{"password", "API-Key", "api_key", "client_secret", "Access Token", "token", "Authorization", "pin"}).Draw(t, "name")
		var v any = map[string]any{name: secret}
		if rapid.Bool().Draw(t, "beside") {
			v = map[string]any{"attribute": name, "value": secret}
		}
		for _, wrap := range rapid.SliceOfN(rapid.SampledFrom([]string{"list", "map"}), 0, 3).Draw(t, "wraps") {
			if wrap == "list" {
				v = []any{1, v}
			} else {
				v = map[string]any{"macro": v, "other": "kept"}
			}
		}
		data, redacted, err := redact(v)
		if err != nil || !redacted || strings.Contains(string(data), secret) {
			t.Fatalf("%s (%v, %v)", data, redacted, err)
		}
	})
	// A field whose name means a secret holds one, even if it shows its text like any other field.
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	j, err := Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []any{map[string]any{"value": "hunter2"}, map[string]any{"input": map[string]any{"action": map[string]any{"typeText": map[string]any{"text": "hunter2"}}}},
		map[string]any{"input": map[string]any{"action": map[string]any{"pressKey": map[string]any{"key": "hunter2"}}}}} {
		a, err := j.Begin(t.Context(), "WriteElementValue", request, Subject{Target: `the entry "Your pass-word"`, Before: `text "hunter2"`})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.End(`text "hunter2"`, errors.New(`it was to hold "hunter2"`)); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), "hunter2") || strings.Count(string(data), `"redacted":true`) != 6 {
		t.Errorf("the journal holds %s (%v)", data, err)
	}
	for _, text := range []string{"sk-proj-abcdefghijklmnopqrstuv", "ghp_" + strings.Repeat("a", 36), "AKIAABCDEFGHIJKLMNOP", "AIza" + strings.Repeat("b", 35),
		"Bearer abcdefghijklmnopqrst", "password: hunter2!", "4111 1111 1111 1111", "-----BEGIN OPENSSH PRIVATE KEY-----\nabc"} {
		if data, redacted, _ := redact(map[string]string{"text": "a " + text}); !redacted || strings.Contains(string(data), text[len(text)-6:]) {
			t.Errorf("%s stays: %s", text, data)
		}
	}
	if data, redacted, _ := redact(map[string]any{"text": "12 × 12 = 144, naïve 日本語 🙂", "n": json.Number("12345678901234567890")}); redacted || !strings.Contains(string(data), "12345678901234567890") {
		t.Errorf("a plain text changed: %s", data)
	}
}

func TestReplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := open(t, path, 0)
	record(t, j, "Press", map[string]string{"name": "1"}, "1", nil)
	record(t, j, "Press", map[string]string{"name": "x"}, "", errors.New("no such button"))
	record(t, j, "Press", map[string]string{"name": "2"}, "12", nil)
	record(t, j, "Type", map[string]string{"password": "x"}, "", nil)
	entries, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	shown := ""
	press := func(_ context.Context, e Entry) (string, error) {
		var r struct{ Name string }
		err := json.Unmarshal(e.Request, &r)
		shown += r.Name
		return shown, err
	}
	n, err := Replay(t.Context(), entries, press)
	if n != 2 || shown != "12" || err == nil || !strings.Contains(err.Error(), "left out") {
		t.Errorf("%d actions, %q, %v", n, shown, err)
	}
	shown = "9"
	if n, err := Replay(t.Context(), entries[:3], press); n != 1 || err == nil || !strings.Contains(err.Error(), "ended differently") {
		t.Errorf("%d actions, %v", n, err)
	}
}

func TestLargeTextsAreCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := open(t, path, 0)
	long := strings.Repeat("é", 1<<20)
	record(t, j, "Write", map[string]any{"text": long}, long, nil)
	record(t, j, "Many", map[string]any{"texts": strings.Split(strings.Repeat(strings.Repeat("x", 8000)+" ", 40), " ")}, "", nil)
	entries, err := Read(path)
	if err != nil || len(entries) != 2 || !entries[0].Redacted || !entries[1].Redacted || len(entries[0].After) > maxText+100 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
}

// If the old file cannot be renamed, actions fail until it can. Then they are recorded again.
func TestJournalGoesOnAfterAFailedRename(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j := open(t, path, 1024)
	blocked := filepath.Join(path+".1", "sub")
	if err := os.MkdirAll(blocked, 0o700); err != nil {
		t.Fatal(err)
	}
	var failed error
	for i := 0; i < 100 && failed == nil; i++ {
		_, failed = j.Begin(t.Context(), "Click", nil, Subject{})
	}
	if failed == nil {
		t.Fatal("the journal replaced a folder")
	}
	if _, err := j.Begin(t.Context(), "Click", nil, Subject{}); err == nil || strings.Contains(err.Error(), "closed") {
		t.Errorf("the second failure is %v", err)
	}
	if err := os.RemoveAll(path + ".1"); err != nil {
		t.Fatal(err)
	}
	record(t, j, "After", nil, "", nil)
	if entries, err := Read(path); err != nil || entries[len(entries)-1].Method != "After" {
		t.Errorf("%+v, %v", entries, err)
	}
}
