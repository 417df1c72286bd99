package ui

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"goated/ui/say"
)

// accents has a letter of another alphabet for each, so that what is still
// English shows.
var accents = func() map[rune]rune {
	plain := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	other := []rune("ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŦÛṼŴẊÝŽåƀçðéƒĝĥîĵķļɱñöþǫŕšŧûṽŵẋýž")
	m := make(map[rune]rune)
	for i, r := range plain {
		m[r] = other[i]
	}
	return m
}()

var verbs = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*[\d.]*[a-zA-Z%]`)

// strange is a sentence as a language would have it that takes 40 % more room
// and no letter of English: "[Ðéñý ~~]".
func strange(english string) string {
	var b strings.Builder
	b.WriteByte('[')
	at := 0
	plain := func(s string) {
		for _, r := range s {
			if to, ok := accents[r]; ok {
				r = to
			}
			b.WriteRune(r)
		}
	}
	for _, v := range verbs.FindAllStringIndex(english, -1) {
		plain(english[at:v[0]])
		b.WriteString(english[v[0]:v[1]])
		at = v[1]
	}
	plain(english[at:])
	for more := (utf8.RuneCountInString(english)*4 + 9) / 10; more > 0; more -= 6 { // in words, as people write
		b.WriteString(" " + strings.Repeat("~", min(more, 5)))
	}
	b.WriteByte(']')
	return b.String()
}

// speakStrangely has the window speak a language that nobody does.
func speakStrangely(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile("say/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var english, book map[string]any
	if err := json.Unmarshal(data, &english); err != nil {
		t.Fatal(err)
	}
	book = make(map[string]any)
	for key, v := range english {
		switch v := v.(type) {
		case string:
			book[key] = strange(v)
		case map[string]any:
			forms := make(map[string]string)
			for name, form := range v {
				forms[name] = strange(form.(string))
			}
			book[key] = forms
		}
	}
	if data, err = json.Marshal(book); err != nil {
		t.Fatal(err)
	}
	b, err := say.ReadBook("en-XA", data)
	if err != nil {
		t.Fatal(err)
	}
	say.Speak(b)
	t.Cleanup(func() { say.Speak(nil) })
}
