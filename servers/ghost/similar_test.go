package ghost

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// texts returns the first two texts in an answer of manage_memory.
func (c *client) texts(a args) (first, second string) {
	c.t.Helper()
	r, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: "manage_memory", Arguments: a})
	if err != nil || len(r.Content) == 0 {
		c.t.Fatal(r, err)
	}
	if len(r.Content) > 1 {
		second = r.Content[1].(*mcp.TextContent).Text
	}
	return r.Content[0].(*mcp.TextContent).Text, second
}

// A key without a fact leads to facts that the caller may mean.
func TestMemoryNamesSimilarFacts(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	if got := c.succeed("manage_memory", recall("me")); got != "No memory found for key: me" {
		t.Errorf("of an empty memory: %q", got)
	}
	c.succeed("manage_memory", remember("dentist", "Monday at 9"))
	c.succeed("manage_memory", remember("wifi_password", "sunflower"))
	c.succeed("manage_memory", remember("like tea", "I don't like tea"))
	for key, want := range map[string]string{
		"dentist appointment": "Similar memories: dentist = Monday at 9",
		"Dentists":            "Similar memories: dentist = Monday at 9",
		"wifi password":       "Similar memories: wifi_password = sunflower",
		"monday":              "Similar memories: dentist = Monday at 9",
		"Paßword":             "Similar memories: wifi_password = sunflower",
		"tea":                 "Similar memories: like tea = I don't like tea",
		"me":                  "Saved keys: dentist, like tea, wifi_password",
	} {
		first, second := c.texts(recall(key))
		if first != "No memory found for key: "+key || second != want {
			t.Errorf("%s: %q, %q", key, first, second)
		}
	}
	if first, second := c.texts(recall("dentist")); first != "Memory value for dentist: Monday at 9" || second != "" {
		t.Errorf("a fact that is there: %q, %q", first, second)
	}
	for i := range 30 {
		c.succeed("manage_memory", remember(fmt.Sprintf("fact %02d", i), strings.Repeat("x", 500)))
	}
	if _, got := c.texts(recall("fact")); strings.Count(got, " = ") != 5 || !strings.HasPrefix(got, "Similar memories, 5 of 30: ") || len(got) > 1500 {
		t.Errorf("many facts: %d bytes, %q", len(got), got)
	}
	if _, got := c.texts(recall("zzz")); strings.Count(got, ", ") != 21 || !strings.HasPrefix(got, "Saved keys, 20 of 33: dentist, ") || !strings.HasSuffix(got, readAll) {
		t.Errorf("many keys: %q", got)
	}
}

// fill writes many facts, like a memory after years of use, plus the given facts.
func (b *bench) fill(t *testing.T, facts map[string]string) {
	t.Helper()
	all := make(map[string]string)
	for i := range 500 {
		all[fmt.Sprintf("aaa user note %03d", i)] = "a user's note about something"
	}
	for k, v := range facts {
		all[k] = v
	}
	data, err := encode(all)
	if err != nil {
		t.Fatal(err)
	}
	write(t, b.memory.path, string(data))
}

// The best of many facts comes first, even with other accents, in another style or with a typo.
func TestSimilarFactsAreRanked(t *testing.T) {
	b := newBench(t)
	b.fill(t, map[string]string{
		"ünïcode 日本語": "x", "coffee": "flat white", "favorite_color": "blue", "café": "Lisboa", "birthday": "May 4", "user prefers tabs over spaces": "yes",
		"홍길동 전화번호": "010", "TV size": "55", "homeAddress": "Rua 1", "wifi password": "sunflower", "color scheme": "dark", "Straße": "5",
	})
	c := b.connect(t, nil)
	for key, want := range map[string]string{
		"日本": "ünïcode 日本語", "日本語": "ünïcode 日本語", "語": "ünïcode 日本語", "unicode": "ünïcode 日本語", "coffe": "coffee", "cofee": "coffee", "coffees": "coffee",
		"favoriteColor": "favorite_color", "favourite color": "favorite_color", "FavoriteColor": "favorite_color", "favoritecolor": "favorite_color", "cafe": "café", "cafe\u0301 name": "café",
		"users birthday": "birthday", "the user's birthday": "birthday", "user birthday date": "birthday", "전화": "홍길동 전화번호", "tv": "TV size", "home address": "homeAddress", "home_addresses": "homeAddress",
		"Wi-Fi Passwort": "wifi password", "what is the wifi password?": "wifi password",
	} {
		_, second := c.texts(recall(key))
		if _, got, _ := strings.Cut(second, ": "); !strings.HasPrefix(got, want+" = ") {
			t.Errorf("%s: %q, want %s", key, second, want)
		}
	}
	if _, got := c.texts(recall("what do you remember about me")); !strings.HasPrefix(got, "Saved keys, 20 of 512: ") || !strings.HasSuffix(got, readAll) {
		t.Errorf("a question about everything: %q", got)
	}
	if got := c.succeed("forget_fact", drop("favoriteColor")); !strings.Contains(got, similarNames+"\n- favorite_color\n") {
		t.Errorf("forget: %q", got)
	}
	if got := c.succeed("forget_fact", drop("zzz")); !strings.Contains(got, "\nStored names, 20 of 512:\n- ") || !strings.HasSuffix(got, readAll) {
		t.Errorf("forget: %q", got)
	}
}

// All keys of a large memory can be listed, in pages.
func TestAllKeysInPages(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	if got := c.succeed("manage_memory", recall("*")); got != "The memory is empty." {
		t.Errorf("an empty memory: %q", got)
	}
	c.succeed("manage_memory", remember("tea", "green"))
	if got := c.succeed("manage_memory", recall(" * ")); got != "Saved keys, 1:\n- tea" {
		t.Errorf("one key: %q", got)
	}
	b.fill(t, map[string]string{"tea": "x"})
	seen := make(map[string]bool)
	next := "*"
	for n := 1; next != ""; n++ {
		got := c.succeed("manage_memory", recall(next))
		if !strings.HasPrefix(got, fmt.Sprintf("Saved keys, %d to %d of 501:\n", (n-1)*100+1, min(n*100, 501))) {
			t.Fatalf("%s: %q", next, got)
		}
		next = ""
		for line := range strings.Lines(got) {
			if key, ok := strings.CutPrefix(line, "- "); ok {
				seen[strings.TrimSpace(key)] = true
			}
			if _, rest, ok := strings.Cut(line, `read the key "`); ok {
				next, _, _ = strings.Cut(rest, `"`)
			}
		}
	}
	if len(seen) != 501 || !seen["tea"] {
		t.Errorf("%d of 501 keys", len(seen))
	}
	c.fail("6 pages of keys, and no page 7", "manage_memory", recall("*7"))
	c.fail(`key "*" lists all keys`, "manage_memory", remember("*", "x"))
	// An old memory may contain that key.
	write(t, b.memory.path, `{"*":"star","**":"stars"}`)
	if first, second := c.texts(recall("*")); first != "Memory value for *: star" || second != "Saved keys, 2:\n- *\n- **" {
		t.Errorf("%q, %q", first, second)
	}
	if got := c.succeed("manage_memory", recall("**")); got != "Memory value for **: stars" {
		t.Errorf("%q", got)
	}
}

// A fact has one key, however it is spelled. If an old memory contains several spellings, they
// remain readable.
func TestOneFactForAllSpellings(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	for _, key := range []string{"coffee", "Coffee", " coffee ", "COFFEE\n"} {
		if got := c.succeed("manage_memory", remember(key, key+"!")); got != "Memory updated: coffee = "+key+"!" {
			t.Errorf("%q: %q", key, got)
		}
	}
	if got := c.succeed("manage_memory", recall("cofFee")); got != "Memory value for coffee: COFFEE\n!" {
		t.Errorf("read: %q", got)
	}
	c.succeed("manage_memory", remember("résumé", "a")) // not the same as resume
	c.succeed("manage_memory", remember("resume", "b"))
	if got := c.succeed("manage_memory", recall("re\u0301sume\u0301")); got != "Memory value for résumé: a" {
		t.Errorf("read: %q", got)
	}
	for _, empty := range []string{"", "  ", "\n\x00"} {
		for _, call := range []args{recall(empty), remember(empty, "x")} {
			c.fail("key is empty", "manage_memory", call)
		}
		c.fail("key is empty", "forget_fact", drop(empty))
	}

	write(t, b.memory.path, `{"coffee":"1","Coffee":"2"," coffee ":"3","":"4"}`)
	for key, want := range map[string]string{"coffee": "coffee: 1", "Coffee": "Coffee: 2", " coffee ": " coffee : 3", "\tCoffee": "Coffee: 2", "": ": 4"} {
		if got := c.succeed("manage_memory", recall(key)); got != "Memory value for "+want {
			t.Errorf("%q: %q", key, got)
		}
	}
	if _, second := c.texts(recall("COFFEE")); strings.Count(second, " = ") != 3 {
		t.Errorf("several spellings: %q", second)
	}
	c.fail(`use one of " coffee ", "Coffee", "coffee"`, "manage_memory", remember("COFFEE", "5"))
	c.succeed("manage_memory", remember("Coffee", "6"))
	if got := c.succeed("manage_memory", recall("Coffee")); got != "Memory value for Coffee: 6" {
		t.Errorf("written: %q", got)
	}
	if got := c.succeed("forget_fact", drop("COFFEE")); !strings.HasPrefix(got, "Nothing is stored") {
		t.Errorf("forget: %q", got)
	}
	for _, key := range []string{"", " coffee ", "Coffee", "COFFEE"} {
		if got := c.succeed("forget_fact", drop(key)); !strings.HasPrefix(got, "Memory removed: ") {
			t.Errorf("forget %q: %q", key, got)
		}
	}
}
