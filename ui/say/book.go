package say

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// books are the languages that goated speaks, a file each, named by its tag:
// en.json, pt-BR.json. A new one is put beside them, and that is all.
//
//go:embed *.json
var books embed.FS

// A Book is one language: what stands in it for each English sentence. It is not
// changed once read.
type Book struct {
	tag       language.Tag
	sentences map[string]forms // by the English of it, of its other form where it counts
}

// forms are a sentence, in as many forms as the language needs for counting. A
// sentence that counts nothing has the last alone.
type forms struct{ zero, one, two, few, many, other string }

// UnmarshalJSON takes a sentence, or an object with a sentence for each form.
func (f *forms) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &f.other) == nil {
		return nil
	}
	counted := map[string]*string{"zero": &f.zero, "one": &f.one, "two": &f.two, "few": &f.few, "many": &f.many, "other": &f.other}
	var given map[string]string
	if err := json.Unmarshal(data, &given); err != nil {
		return fmt.Errorf("a sentence is a text, or an object of texts: %w", err)
	}
	for name, text := range given {
		form, ok := counted[name]
		if !ok {
			return fmt.Errorf("%q is no form of a number; CLDR has zero, one, two, few, many and other", name)
		}
		*form = text
	}
	return nil
}

// ReadBook reads a book of the language that the BCP 47 tag names. Data is an
// object, from English to the other language; where the English counts, the
// other side is an object of CLDR's forms.
func ReadBook(tag string, data []byte) (*Book, error) {
	t, err := language.Parse(tag)
	if err != nil {
		return nil, fmt.Errorf("the language of a book: %w", err)
	}
	b := &Book{tag: t}
	if err := json.Unmarshal(data, &b.sentences); err != nil {
		return nil, fmt.Errorf("the book of %s: %w", tag, err)
	}
	return b, nil
}

// Find gives the book that suits a locale best, as in LANG ("pt_BR.UTF-8") or as
// a BCP 47 tag; nil is English, and what is not known is English.
func Find(locale string) (*Book, error) { return findIn(books, locale) }

func findIn(books fs.FS, locale string) (*Book, error) {
	locale, _, _ = strings.Cut(locale, ".")
	locale, _, _ = strings.Cut(locale, "@")
	wanted, err := language.Parse(locale)
	if err != nil {
		return nil, nil // "C", "POSIX" and the like are no languages
	}
	files, err := fs.Glob(books, "*.json")
	if err != nil {
		return nil, err
	}
	names, tags := []string{"en"}, []language.Tag{language.English} // the first is taken where none suits
	for _, f := range files {
		name := strings.TrimSuffix(f, ".json")
		if t, err := language.Parse(name); err == nil && t != language.English {
			names, tags = append(names, name), append(tags, t)
		}
	}
	_, at, _ := language.NewMatcher(tags).Match(wanted)
	if at == 0 {
		return nil, nil
	}
	data, err := fs.ReadFile(books, names[at]+".json")
	if err != nil {
		return nil, err
	}
	return ReadBook(names[at], data)
}

// form is what the book has for so many of a thing, or the English.
func (b *Book) form(n int, one, other string) string {
	f, ok := b.sentences[other]
	if !ok || f.other == "" {
		if n == 1 {
			return one
		}
		return other
	}
	text := ""
	switch plural.Cardinal.MatchPlural(b.tag, n, 0, 0, 0, 0) {
	case plural.Zero:
		text = f.zero
	case plural.One:
		text = f.one
	case plural.Two:
		text = f.two
	case plural.Few:
		text = f.few
	case plural.Many:
		text = f.many
	}
	if text == "" {
		return f.other
	}
	return text
}
