package journal

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func typing(text string) any {
	return map[string]any{"input": map[string]any{"action": map[string]any{"typeText": map[string]any{"text": text}}}}
}

func pressing(key string) any {
	return map[string]any{"input": map[string]any{"action": map[string]any{"pressKey": map[string]any{"key": key}}}}
}

// Secrets stay out of the file no matter where an action contains them: in the arguments of a
// macro, in the options, the input and the variables of a command, and in fields with names in
// other languages.
func TestSecretsOfActionsStayOut(t *testing.T) {
	const secret = "hunter2 is it"
	for name, test := range map[string]struct {
		ctx     context.Context
		request any
		target  string
	}{
		"an argument of a macro":         {HideNamed(t.Context(), map[string]string{"Kennwort": secret, "name": "button"}), typing("x" + secret + "y"), "a button"},
		"an argument in a name":          {Hide(t.Context(), secret), pressing("a"), "the entry " + secret},
		"the input of a command":         {t.Context(), map[string]any{"command": "sudo", "stdin": secret}, "the shell"},
		"an option of a command":         {t.Context(), map[string]any{"command": "mysql", "args": []any{"-u", "me", "--password", secret}}, "the shell"},
		"a variable of a command":        {t.Context(), map[string]any{"environment": map[string]any{"DB_PASS": secret}}, "the shell"},
		"a number":                       {t.Context(), map[string]any{"values": map[string]any{"PIN": 987654321}}, "a button"},
		"a text for a named field":       {t.Context(), map[string]any{"value": secret}, `the entry "Mot de passe"`},
		"a text for another field":       {t.Context(), typing(secret), `the window "Clave secreta" of firefox`},
		"an address with a password":     {t.Context(), map[string]any{"content": map[string]any{"text": "https://me:hunter2@example.org"}}, "the clipboard"},
		"an option within a command":     {t.Context(), map[string]any{"command": "tool --token hunter2 --other"}, "the shell"},
		"a word and its value":           {t.Context(), typing("Passwort: hunter2"), "a window"},
		"a value beside a name in a map": {t.Context(), map[string]any{"a": []any{map[string]any{"key": "seed phrase", "value": secret}}}, "a window"},
	} {
		path := filepath.Join(t.TempDir(), "journal")
		j := open(t, path, 0)
		a, err := j.Begin(test.ctx, "Act", test.request, Subject{Target: test.target})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.End("", nil); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil || strings.Contains(string(data), "hunter2") || strings.Contains(string(data), "987654321") {
			t.Errorf("%s: the journal holds %s (%v)", name, data, err)
		}
		entries, err := Read(path)
		if err != nil || len(entries) != 1 || !entries[0].Redacted && name != "an argument in a name" {
			t.Errorf("%s: %+v, %v", name, entries, err)
		}
	}
}

// If a secret is typed in pieces, the record leaves out every piece from the one that completes the
// secret. It contains later text again.
func TestSecretsInPiecesStayOut(t *testing.T) {
	keys := func(text string) (all []any) {
		for _, r := range text {
			all = append(all, pressing(string(r)))
		}
		return all
	}
	for name, pieces := range map[string][]any{
		"texts": {typing("password"), typing(": "), typing("hunt"), typing("er2!"), typing("SECRET")},
		"keys":  append([]any{typing("token=abcd")}, keys("SECRET")...),
		"a key": {typing("sk-proj-abcdefghijklmn"), typing("opqrst"), typing("SECRET")},
	} {
		path := filepath.Join(t.TempDir(), "journal")
		j := open(t, path, 0)
		for _, p := range append(pieces, pressing("Return"), typing("an ordinary text")) {
			a, err := j.Begin(t.Context(), "CreateInput", p, Subject{Target: "a window"})
			if err != nil {
				t.Fatal(err)
			}
			if err := a.End("", nil); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(path)
		text := string(data)
		last := strings.Contains(text, `"key":"T"`) || strings.Contains(text, "SECRET")
		if err != nil || last || !strings.Contains(text, "an ordinary text") {
			t.Errorf("%s: the journal holds %s (%v)", name, text, err)
		}
	}
}
