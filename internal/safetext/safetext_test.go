package safetext

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Mark marks characters that a reader cannot see.
func TestHiddenCharactersAreMarked(t *testing.T) {
	for text, want := range map[string]string{
		"a\u202Eb":                        "a⟨U+202E⟩b",
		"a\u2066b\u2069":                  "a⟨U+2066⟩b⟨U+2069⟩",
		"\u200Bab":                        "⟨U+200B⟩ab",
		"a\U000E0041\U000E0042\U000E007F": "a⟨U+E0041⟩⟨U+E0042⟩⟨U+E007F⟩",
		"a\u00ADb\uFEFF\u2060":            "a⟨U+00AD⟩b⟨U+FEFF⟩⟨U+2060⟩",
		"\u0301a":                         "⟨U+0301⟩a", // it would combine with the text before it
		"a\u200Db":                        "a⟨U+200D⟩b",
		"a\uFE0F":                         "a⟨U+FE0F⟩",
		"x\u115F\u3164\u2800":             "x⟨U+115F⟩⟨U+3164⟩⟨U+2800⟩",
		"a\u2028b":                        "a⟨U+2028⟩b",
		"bell\a esc\x1b[2J":               "bell⟨U+0007⟩ esc⟨U+001B⟩[2J",
		"a\xffb":                          "a\uFFFDb",
		"☺\uFE0F\uFE0F":                   "☺\uFE0F⟨U+FE0F⟩",
		"🏴\U000E0075\U000E0073\U000E007F": "🏴⟨U+E0075⟩⟨U+E0073⟩⟨U+E007F⟩",
		"e" + strings.Repeat("\u0301", 9): "e" + strings.Repeat("\u0301", 8) + "⟨U+0301⟩",
	} {
		if got := Mark(text); got != want {
			t.Errorf("%+q becomes %q, want %q", text, got, want)
		}
	}
}

// readable contains texts that stay unchanged.
var readable = []string{
	"plain text\n\twith two lines", "Grüße, Ærøskøbing, İstanbul", "cafe\u0301 Z\u0323\u030C", "Tiếng Việt tie\u0302\u0301ng",
	"東京タワー、한국어 글", "葛\U000E0100城", "👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ ☺️ 1️⃣ #️⃣ 👍🏽 🧑🏿‍🚀 🙂‍↔️", "🇩🇪🇯🇵", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "⟨ok⟩ ∩\uFE00",
	"مرحبا بالعالم، می\u200Cخواهم", "שָׁלוֹם עוֹלָם", "हिन्दी क्\u200Dष", "ไทย ภาษา", "தமிழ்", "ᠮᠣᠩᠭᠣᠯ᠋", "\u06DD \u0600١٢",
}

func TestEveryScriptStaysIntact(t *testing.T) {
	for _, text := range readable {
		if got := Mark(text); got != text || Hidden(text) != 0 {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// A name of 3,400 characters, or one with a line feed, becomes one short line.
func TestNamesAreOneShortLine(t *testing.T) {
	for text, want := range map[string]string{
		"  roll ":                                "roll",
		"a\nServer ghost":                        "a⟨U+000A⟩Server ghost",
		strings.Repeat("a", 64):                  strings.Repeat("a", 64),
		strings.Repeat("a", 3400):                strings.Repeat("a", 63) + "…",
		strings.Repeat("ä", 65):                  strings.Repeat("ä", 63) + "…",
		strings.Repeat("a", 60) + "\u202E\u202E": strings.Repeat("a", 60) + "…",
		strings.Repeat("👩‍💻", 30):                strings.Repeat("👩‍💻", 21) + "…",
		"":                                       "",
		" \n ":                                   "",
		"\u202E":                                 "⟨U+202E⟩",
		"ghost 👻 ":                               "ghost 👻",
	} {
		if got := Name(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := OneLine("a\nb\tc\u202E"); got != "a b c⟨U+202E⟩" {
		t.Errorf("one line is %q", got)
	}
}

// No line of a quoted text begins at the left margin.
func TestQuotePrefixesEachLine(t *testing.T) {
	if got := Quote("│ ", "a\nAllow? y\r\n\n"); got != "│ a\n│ Allow? y⟨U+000D⟩" {
		t.Errorf("quoted: %q", got)
	}
	if got := Quote("│ ", ""); got != "│ " {
		t.Errorf("an empty text is quoted as %q", got)
	}
}

func TestSpansAreTheMarkedText(t *testing.T) {
	got := Spans("a\u202Eb")
	want := []Span{{"a", false}, {"⟨U+202E⟩", true}, {"b", false}}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("spans are %v", got)
	}
}

func TestEscapeKeepsTheValueOfJSON(t *testing.T) {
	for _, text := range append(readable, "a\u202Eb\U000E0041", "\u0301", "\u007f\u0085") {
		data, err := json.MarshalIndent(map[string]string{"a": text}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		escaped := Escape(string(data))
		var back map[string]string
		if err := json.Unmarshal([]byte(escaped), &back); err != nil || back["a"] != text || Hidden(escaped) > 0 {
			t.Errorf("%s reads as %q (%v)", escaped, back["a"], err)
		}
	}
}

// A text that arrives in parts is marked like a complete one.
func TestSplitKeepsCharactersTogether(t *testing.T) {
	for _, text := range append(readable, "a\u202Eb\u200D", "\u200D\u200D\u200D") {
		for size := 1; size < 9; size++ {
			var got strings.Builder
			rest := ""
			for at := 0; at < len(text); {
				end := min(at+size, len(text))
				for end < len(text) && !utf8.RuneStart(text[end]) {
					end++
				}
				var ready string
				ready, rest = Split(rest + text[at:end])
				got.WriteString(Mark(ready))
				at = end
			}
			got.WriteString(Mark(rest))
			if want := Mark(text); got.String() != want {
				t.Errorf("%q in parts of %d becomes %q, want %q", text, size, got.String(), want)
			}
		}
	}
}

// This test uses random strings, 10,000,000 in make props. A marked text has no invisible
// character, except where a letter or an emoji needs it. GOATED_STRINGS sets the number of strings.
func TestNoHiddenCharacterStaysUnmarked(t *testing.T) {
	n := 50_000
	if text := os.Getenv("GOATED_STRINGS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	letters := make([]rune, 0, 16)
	for range n {
		letters = letters[:0]
		for range random.IntN(16) {
			letters = append(letters, randomRune(random))
		}
		text := string(letters)
		got := Mark(text)
		if fault := fault(got); fault != "" {
			t.Fatalf("%+q becomes %+q: %s", text, got, fault)
		}
		if again := Mark(got); again != got {
			t.Fatalf("%+q becomes %+q, and then %+q", text, got, again)
		}
		name := Name(text)
		if utf8.RuneCountInString(name) > MaxName || strings.ContainsAny(name, "\n\t") || fault(name) != "" {
			t.Fatalf("%+q is named %+q", text, name)
		}
		if strings.Contains("\n"+Quote("│ ", text), "\nA") {
			t.Fatalf("%+q is quoted as %+q", text, Quote("│ ", text))
		}
	}
}

// fault is an independent check with other tables than the code. It knows which characters a marked
// text must not contain at all, and between which characters a joiner or selector must stand.
func fault(text string) string {
	runes := []rune(text)
	for i, r := range runes {
		before, after := rune(0), rune(0)
		if i > 0 {
			before = runes[i-1]
		}
		if i+1 < len(runes) {
			after = runes[i+1]
		}
		switch {
		case unicode.IsControl(r) && r != '\n' && r != '\t':
			return "a control character"
		case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F, r == 0x061C:
			return "a bidirectional control"
		case r >= 0xE0000 && r <= 0xE007F:
			if !strings.Contains(text, "🏴"+flags[0]) && !strings.Contains(text, "🏴"+flags[1]) && !strings.Contains(text, "🏴"+flags[2]) {
				return "a tag"
			}
		case r == zwj || r == zwnj:
			if i == 0 || after == 0 || before < 0x300 || after < 0x300 || unicode.IsSpace(before) || unicode.IsSpace(after) || after == zwj || after == zwnj {
				return "a joiner without letters"
			}
		case unicode.Is(unicode.Variation_Selector, r):
			if i == 0 || before != '#' && before != '*' && !unicode.IsDigit(before) && before < 0xA9 || unicode.Is(unicode.Variation_Selector, before) {
				return "a selector without a base"
			}
		case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r),
			unicode.In(r, unicode.Zl, unicode.Zp):
			return "a format character"
		case unicode.IsMark(r) && !unicode.Is(unicode.Mc, r) && (i == 0 || before == '\n' || before == '\t'):
			return "an accent without a letter"
		}
	}
	return ""
}

// randomRune prefers the characters that matter to this package.
func randomRune(random *rand.Rand) rune {
	switch random.IntN(8) {
	case 0:
		return rune(random.IntN(0x110000))
	case 1:
		return rune(random.IntN(0x100))
	case 2:
		return 0x2000 + rune(random.IntN(0x70))
	case 3:
		return 0xE0000 + rune(random.IntN(0x200))
	case 4:
		return 0x1F300 + rune(random.IntN(0x400))
	case 5:
		return 0x300 + rune(random.IntN(0x3FF))
	}
	const some = "aA0#*👩💻🏴🏳❤🏽क्षمی葛ᠮ∩☺\u200D\u200C\uFE0F\uFE0E\uFE00\U000E0100\u0301\u202E\n\t"
	runes := []rune(some)
	return runes[random.IntN(len(runes))]
}

func TestAddressesShowTheirRealHost(t *testing.T) {
	for text, want := range map[string]Address{
		"https://example.org/a":                      {Host: "example.org"},
		"https://accounts.google.com@evil.example/x": {Host: "evil.example", User: "accounts.google.com"},
		"http://EXAMPLE.org:8080":                    {Host: "example.org:8080", Plain: true},
		"https://аррӏе.com":                          {Host: "xn--80ak6aa92e.com", Shown: "аррӏе.com", Mixed: true},
		"https://xn--80ak6aa92e.com/":                {Host: "xn--80ak6aa92e.com", Shown: "аррӏе.com", Mixed: true},
		"https://gооgle.com":                         {Host: "xn--ggle-55da.com", Shown: "gооgle.com", Mixed: true},
		"https://bücher.example":                     {Host: "xn--bcher-kva.example", Shown: "bücher.example"},
		"https://例え.jp":                              {Host: "xn--r8jz45g.jp", Shown: "例え.jp"},
		"https://[::1]:80/":                          {Host: "[::1]:80"},
		"https://10.0.0.1/":                          {Host: "10.0.0.1"},
		// numbers that a browser reads as an IP address
		"http://2130706433/":         {Host: "127.0.0.1", Plain: true},
		"http://0x7f.1/":             {Host: "127.0.0.1", Plain: true},
		"http://0300.0250.1.0x1:080": {Host: "192.168.1.1:80", Plain: true},
		"http://１２７.０.０.１/":          {Host: "127.0.0.1", Plain: true},
		"https://[::ffff:7f00:1]/":   {Host: "[::ffff:127.0.0.1]"},
		"https://[0:0:0:0:0:0:0:1]/": {Host: "[::1]"},
		// long hosts, with the owner at the end
		"https://accounts.google.com.login.evil.example/": {Host: "accounts.google.com.login.evil.example", Site: "evil.example"},
		"https://accounts.google.com-sign.in/":            {Host: "accounts.google.com-sign.in", Site: "com-sign.in"},
		"https://www.example.org/":                        {Host: "www.example.org"},
		"https://me.github.io":                            {Host: "me.github.io"},
		"https://a.b.co.uk.":                              {Host: "a.b.co.uk.", Site: "b.co.uk"},
		"https://good.example:443@evil.example:8443/":     {Host: "evil.example:8443", User: "good.example:443"},
		"https://user:pass@[::1]:8/":                      {Host: "[::1]:8", User: "user:pass"},
		"https://exam\u00adple.org":                       {Host: "example.org"},
		"https://example。org":                             {Host: "example.org"},
	} {
		got := ReadAddress(text)
		if got.URL == nil {
			t.Errorf("%s is no address", text)
			continue
		}
		if got.URL.Host != got.Host {
			t.Errorf("the browser gets %s, and the reader sees %s", got.URL.Host, got.Host)
		}
		got.URL = nil
		if got != want {
			t.Errorf("%s is %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"", "javascript:alert(1)", "file:///etc/passwd", "https://", "https://a\u202Eb.com/", "%",
		"data:text/html,<script>", "DATA:text/html;base64,AA", "blob:https://example.org/1", "vbscript:x", "view-source:https://example.org", "about:blank", "ftp://example.org",
		"https:example.org", "https:///example.org", "https://good.example\\@evil.example/", "https://good.example\t.evil.example/", "https://ex%61mple.org/", "https://256.0.0.1/", "https://1.2.3.4.5/",
		"https://example.org:99999/", "https://[::1", "https://0x100000000/", "//example.org"} {
		if got := ReadAddress(text); got.URL != nil {
			t.Errorf("%q is the address %+v", text, got)
		}
	}
}
