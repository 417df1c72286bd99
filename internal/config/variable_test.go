package config

import (
	"fmt"
	"testing"
)

func TestVariablesAreRead(t *testing.T) {
	text := "# the test account\nexport TOKEN=abc\nNAME = \"two words\"  # who\n\nQUERY=a=b&c\nEMPTY=\nRAW='$x #1'\nLINES=\"a\\nb\"\nSHADE=green # the usual\n" +
		"KEY=\"abc\" # the \"main\" key\nOTHER='abc' # user's\nSAID=\"a \\\"b\\\" c\"\nJSON=\"{\"a\":1}\"\nOPEN=\"abc\n"
	got, ok := ParseVariables(text)
	want := []Variable{{Name: "TOKEN", Value: "abc"}, {Name: "NAME", Value: "two words"}, {Name: "QUERY", Value: "a=b&c"},
		{Name: "EMPTY"}, {Name: "RAW", Value: "$x #1"}, {Name: "LINES", Value: "a\nb"}, {Name: "SHADE", Value: "green"},
		{Name: "KEY", Value: "abc"}, {Name: "OTHER", Value: "abc"}, {Name: "SAID", Value: `a "b" c`}, {Name: "JSON", Value: `{"a":1}`}, {Name: "OPEN", Value: `"abc`}}
	if !ok || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q", got)
	}
	for _, text := range []string{"", "\n# only a remark\n", "a secret word", "https://example.org/?a=b", "A=1\nand more", "=x", "1A=2"} {
		if got, ok := ParseVariables(text); ok {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	if got := VariablesOf(Environ(want)); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("there and back: %q", got)
	}
}

func TestHeadersAreRead(t *testing.T) {
	got, ok := ParseHeaders("Authorization: Bearer a:b # c\n\n  \"X-Env\": \"test\",\nX-Empty:\n\"User-Agent\"\t: 'me'\ntenant: 1\nAccept: */*")
	want := []Variable{{Name: "Authorization", Value: "Bearer a:b # c"}, {Name: "X-Env", Value: "test"}, {Name: "X-Empty"}, {Name: "User-Agent", Value: "me"}, {Name: "tenant", Value: "1"}, {Name: "Accept", Value: "*/*"}}
	if !ok || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q", got)
	}
	// The first and the last t of a name used to be cut off.
	if got, ok := ParseHeaders("tenant: t\nAccept: text/plain"); !ok || fmt.Sprint(got) != fmt.Sprint([]Variable{{Name: "tenant", Value: "t"}, {Name: "Accept", Value: "text/plain"}}) {
		t.Errorf("got %q", got)
	}
	for _, text := range []string{"", "a token", "https://example.org/mcp", "A: 1\nand more", ": x", "A B: c"} {
		if got, ok := ParseHeaders(text); ok {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

func TestSecretsAreRecognised(t *testing.T) {
	for _, name := range []string{"API_KEY", "GITHUB_TOKEN", "github.token", "DB_PASSWORD", "APIKEY", "accessToken", "CLIENT_SECRET", "AWS_SECRET_ACCESS_KEY", "MY_PAT", "PGPASS_PWD", "GOOGLE_CREDENTIALS"} {
		if !(Variable{Name: name}).Secret() {
			t.Errorf("%s is taken for no secret", name)
		}
	}
	for _, name := range []string{"PATH", "HOME", "AUTHOR", "KEYBOARD_LAYOUT", "COMPATIBLE", "BYPASSED", "LANG", "TOKENIZERS_PARALLELISM"} {
		if (Variable{Name: name, Value: "https://example.org:80/a@b"}).Secret() {
			t.Errorf("%s is taken for a secret", name)
		}
	}
	if !(Variable{Name: "DATABASE_URL", Value: "postgres://me:pw@db/x"}).Secret() {
		t.Error("an address with a password is taken for no secret")
	}
}

func TestVariablesAreChecked(t *testing.T) {
	for name, fine := range map[string]bool{"A": true, "_a1": true, "a.b-c": true, "": false, "1A": false, "A B": false, "A=B": false} {
		if err := (Variable{Name: name}).Check(); (err == nil) != fine {
			t.Errorf("%q: %v", name, err)
		}
	}
	if (Variable{Name: "A", Value: "a\x00b"}).Check() == nil {
		t.Error("a value that no process can be given passes")
	}
}
