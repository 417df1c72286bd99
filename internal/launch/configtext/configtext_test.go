package configtext

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// All three formats yield the same tree for the same configuration. They keep the order of the keys
// near the root, and the digits that a float64 cannot represent.
func TestTheFormatsAgree(t *testing.T) {
	parsers := map[string]func(string) (any, Order, error){
		"JSON": JSON, "YAML": YAML,
		"TOML": func(text string) (any, Order, error) {
			tree, o, err := TOML(text)
			return tree, o, err
		},
	}
	for format, text := range map[string]string{
		"JSON": "{ // servers\n\"servers\": {\"zeta\": {\"url\": \"https://z.example\", \"id\": 12345678901234567890,}, \"alpha\": {\"command\": \"npx\", \"args\": [\"-y\", \"1.10\"]},},}",
		"YAML": "servers: # of mine\n  zeta: {url: https://z.example, id: 12345678901234567890}\n  alpha:\n    command: npx\n    args: [-y, 1.10]\n",
		"TOML": "[servers.zeta] # of mine\nurl = 'https://z.example'\nid = '12345678901234567890'\n[servers.alpha]\ncommand = 'npx'\nargs = ['-y', '1.10']\n",
	} {
		tree, o, err := parsers[format](text)
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		servers, _ := tree.(map[string]any)["servers"].(map[string]any)
		if keys := o.Keys("/servers", servers); !slices.Equal(keys, []string{"zeta", "alpha"}) {
			t.Errorf("%s: the servers are %q", format, keys)
		}
		zeta, _ := servers["zeta"].(map[string]any)
		if keys := o.Keys("/servers/zeta", zeta); !slices.Equal(keys, []string{"url", "id"}) || fmt.Sprint(zeta["id"]) != "12345678901234567890" {
			t.Errorf("%s: zeta has %q and the id %v", format, keys, zeta["id"])
		}
		alpha, _ := servers["alpha"].(map[string]any)
		if fmt.Sprint(alpha["args"]) != "[-y 1.10]" {
			t.Errorf("%s: the arguments are %v", format, alpha["args"])
		}
	}
}

// Numbers in JSON are json.Number, and those in YAML are strings. A YAML key that looks like another
// type stays a string.
func TestNumbersAndKeysKeepTheirText(t *testing.T) {
	tree, _, err := JSON(`{"n": 1.10}`)
	if n, ok := tree.(map[string]any)["n"].(json.Number); err != nil || !ok || n != "1.10" {
		t.Errorf("JSON: %#v, %v", tree, err)
	}
	tree, o, err := YAML("version: 1.10\non: yes\n404: gone\nnull: none\nbase: &b {a: 1}\nmore: {<<: *b, c: 2}\nhex: 0x10\n")
	m, ok := tree.(map[string]any)
	if err != nil || !ok {
		t.Fatalf("YAML: %#v, %v", tree, err)
	}
	if m["version"] != "1.10" || m["404"] != "gone" || m["null"] != "none" || fmt.Sprint(m["more"]) != "map[a:1 c:2]" || m["hex"] != 16 {
		t.Errorf("YAML: %#v", m)
	}
	if keys := o.Keys("", m); !slices.Equal(keys, []string{"version", "on", "404", "null", "base", "more", "hex"}) {
		t.Errorf("YAML: the keys are %q", keys)
	}
}

// An array of tables is a list, as in the other formats.
func TestTablesOfTOMLAreAList(t *testing.T) {
	tree, o, err := TOML("[[servers]]\nname = 'a'\n[[servers]]\nname = 'b'\n[other]\n")
	if list, ok := tree["servers"].([]any); err != nil || !ok || len(list) != 2 || !slices.Equal(o.Keys("", tree), []string{"servers", "other"}) {
		t.Errorf("%#v, %v, %v", tree, o, err)
	}
}

// Keys lists each key once, even if the text repeats it. Keys without a known position follow in
// alphabetical order.
func TestKeysWithoutAnOrderAreSorted(t *testing.T) {
	o := Order{"": {"b", "gone", "b"}}
	if got := o.Keys("", map[string]any{"d": 1, "b": 1, "c": 1}); !slices.Equal(got, []string{"b", "c", "d"}) {
		t.Errorf("the keys are %q", got)
	}
}

// A text that nests too deep is refused before a parser recurses into it. A text with many sibling
// values is not refused.
func TestCheckDepth(t *testing.T) {
	for text, deep := range map[string]bool{
		strings.Repeat("[", maxDepth):                 false,
		strings.Repeat("[", maxDepth+1):               true,
		strings.Repeat(`{"a":[`, maxDepth):            true,
		strings.Repeat("[{}]", 10*maxDepth):           false,
		strings.Repeat("]", 10*maxDepth) + "{" + "[]": false,
	} {
		if err := CheckDepth(text); (err != nil) != deep {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
}

// A text that is not a configuration is an error, not an empty configuration.
func TestUnreadableTextIsAnError(t *testing.T) {
	for _, text := range []string{"{", "a: [", "= 1"} {
		if tree, _, err := JSON(text); err == nil {
			t.Errorf("JSON reads %q as %v", text, tree)
		}
		if tree, _, err := TOML(text); err == nil {
			t.Errorf("TOML reads %q as %v", text, tree)
		}
	}
	if tree, _, err := YAML("a: ["); err == nil {
		t.Errorf("YAML reads it as %v", tree)
	}
}

// The lines of a log look like keys. 20 KB of them used to take 20 seconds, because each pair of keys
// was compared and produced an error.
func TestManyEqualKeysEndAtTheSecond(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("info: started\n", 1000):   `line 2: the key "info" is in line 1 already`,
		"a:\n  b: 1\n  c: 2\n  b: 3\n":            `line 4: the key "b" is in line 2 already`,
		numbered(maxKeys + 1):                     "line 1: it has more than 8192 keys in one place",
		"a: {b: 1}\nc: &x {b: 1}\nd:\n  <<: *x\n": "",
	} {
		if _, _, err := YAML(text); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%.20q…: %v, want %s", text, err, want)
		}
	}
}

// numbered returns n lines with different keys.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: v\n", i)
	}
	return b.String()
}
