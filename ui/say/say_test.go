package say

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
)

func speak(t *testing.T, b *Book) {
	t.Helper()
	Speak(b)
	t.Cleanup(func() { Speak(nil) })
}

func TestEnglishNeedsNoBook(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{S("Deny"), "Deny"},
		{S("Run %s", "tar"), "Run tar"},
		{S("100 %%"), "100 %"},
		{N(1, "%d tool", "%d tools"), "1 tool"},
		{N(0, "%d tool", "%d tools"), "0 tools"},
		{N(1, "One question waits", "%d questions wait"), "One question waits"},
		{N(1, "the file in %[2]s", "%d files in %s", "tmp"), "the file in tmp"},
		{N(3, "the file in %[2]s", "%d files in %s", "tmp"), "3 files in tmp"},
	} {
		if c.got != c.want {
			t.Errorf("said %q, want %q", c.got, c.want)
		}
	}
}

func TestABookTranslates(t *testing.T) {
	b, err := ReadBook("pl", []byte(`{
		"Deny": "Odmów",
		"%s of %s": "z %[2]s: %[1]s",
		"%d tools": {"one": "%d narzędzie", "few": "%d narzędzia", "many": "%d narzędzi", "other": "%d narzędzia"}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	speak(t, b)
	for _, c := range []struct{ got, want string }{
		{S("Deny"), "Odmów"},
		{S("%s of %s", "a", "b"), "z b: a"},
		{S("Allow once"), "Allow once"}, // is not in the book
		{N(1, "%d tool", "%d tools"), "1 narzędzie"},
		{N(3, "%d tool", "%d tools"), "3 narzędzia"},
		{N(5, "%d tool", "%d tools"), "5 narzędzi"},
		{N(22, "%d tool", "%d tools"), "22 narzędzia"},
		{N(1, "%d file", "%d files"), "1 file"},
		{N(2, "%d file", "%d files"), "2 files"},
	} {
		if c.got != c.want {
			t.Errorf("said %q, want %q", c.got, c.want)
		}
	}
}

func TestABadBookIsRefused(t *testing.T) {
	for _, c := range []struct{ tag, data string }{
		{"no language", `{}`},
		{"de", `{"Deny":`},
		{"de", `{"Deny": 7}`},
		{"de", `{"%d tools": {"einer": "x"}}`},
	} {
		if _, err := ReadBook(c.tag, []byte(c.data)); err == nil {
			t.Errorf("ReadBook(%q, %s) is no error", c.tag, c.data)
		}
	}
}

func TestWhatIsNotKnownIsEnglish(t *testing.T) {
	for _, locale := range []string{"", "C", "C.UTF-8", "POSIX", "en_GB.UTF-8", "en", "tlh", "zz_ZZ@euro", "\x00"} {
		if b, err := Find(locale); b != nil || err != nil {
			t.Errorf("Find(%q) = %v, %v, want English", locale, b, err)
		}
	}
}

func TestTheBookThatSuitsIsFound(t *testing.T) {
	shelf := fstest.MapFS{}
	for _, name := range []string{"en", "de", "pt-BR", "zh-Hant"} {
		shelf[name+".json"] = &fstest.MapFile{Data: []byte(`{"Deny": "` + name + `"}`)}
	}
	for locale, want := range map[string]string{
		"de": "de", "de_AT.UTF-8": "de", "de_DE@euro": "de", "pt_BR.UTF-8": "pt-BR", "pt": "pt-BR", "zh_TW": "zh-Hant", "zh-Hant-HK": "zh-Hant",
		"en_US.UTF-8": "", "fr_FR.UTF-8": "", "C": "", "": "",
	} {
		got := ""
		b, err := findIn(shelf, locale)
		if b != nil {
			got = b.sentences["Deny"].other
		}
		if got != want || err != nil {
			t.Errorf("for %q the book is %q, want %q: %v", locale, got, want, err)
		}
	}
	shelf["de.json"].Data = []byte("{")
	if _, err := findIn(shelf, "de"); err == nil {
		t.Error("a book that can't be read is no error")
	}
}

func TestAnErrorIsSaid(t *testing.T) {
	b, err := ReadBook("de", []byte(`{"%s can't be read: %w": "%s ist nicht zu lesen: %w"}`))
	if err != nil {
		t.Fatal(err)
	}
	speak(t, b)
	if err := E("%s can't be read: %w", "a.txt", fs.ErrNotExist); !errors.Is(err, fs.ErrNotExist) || err.Error() != "a.txt ist nicht zu lesen: file does not exist" {
		t.Errorf("the error is %v", err)
	}
}
