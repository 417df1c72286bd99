package fields

import (
	"fmt"
	"math/big"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"goated/internal/safetext"
)

// rules restrict strings and lists. The zero value allows everything.
type rules struct {
	least, most *limit // the number of characters of a string, or of items of a list
	pattern     *regexp.Regexp
	format      string
	distinct    bool // no item may occur twice
}

// maxPattern limits the size of a pattern, in bytes.
const maxPattern = 1 << 10

func rulesOf(p map[string]any) rules {
	r := rules{}
	if text, ok := p["pattern"].(string); ok && len(text) <= maxPattern {
		// The server has to check a pattern that Go does not support, such as a look-behind.
		r.pattern, _ = regexp.Compile(text)
	}
	r.format, _ = p["format"].(string)
	r.distinct = p["uniqueItems"] == true
	least, most := "minLength", "maxLength"
	if types, _ := typesOf(p); len(types) == 1 && types[0] == "array" {
		least, most = "minItems", "maxItems"
	}
	r.least, r.most = limitOf(p[least]), limitOf(p[most])
	return r
}

// count returns the rule that a number of characters or items violates, or "" if there is none.
func (r rules) count(n int, unit string) string {
	size := new(big.Rat).SetInt64(int64(n))
	say := func(bound string, l *limit) string {
		if l.written == "1" {
			return fmt.Sprintf("%s 1 %s", bound, unit)
		}
		return fmt.Sprintf("%s %s %ss", bound, l.written, unit)
	}
	switch {
	case r.least != nil && size.Cmp(r.least.value) < 0:
		return say("at least", r.least)
	case r.most != nil && size.Cmp(r.most.value) > 0:
		return say("at most", r.most)
	}
	return ""
}

// text checks a string.
func (f Field) text(input string) (any, bool, error) {
	if wrong := f.rules.count(utf8.RuneCountInString(input), "character"); wrong != "" {
		return nil, false, fmt.Errorf("%s must have %s", f.Label, wrong)
	}
	switch f.rules.format {
	case "email":
		if a, err := mail.ParseAddress(input); err != nil || a.Address != input {
			return nil, false, fmt.Errorf("%s must be an e-mail address like name@example.org", f.Label)
		}
	case "uri", "url":
		if u, err := url.Parse(input); err != nil || u.Scheme == "" || strings.ContainsAny(input, " \n") {
			return nil, false, fmt.Errorf("%s must be an address like https://example.org", f.Label)
		}
	}
	if f.rules.pattern != nil && !f.rules.pattern.MatchString(input) {
		return nil, false, fmt.Errorf("%s must have the form %s", f.Label, safetext.Cut(f.rules.pattern.String(), maxOption))
	}
	return input, true, nil
}

// Items checks the items of a List as a whole. Errors are phrases to show beside the field.
func (f Field) Items(items []any) error {
	if wrong := f.rules.count(len(items), "item"); wrong != "" {
		return fmt.Errorf("%s must have %s", f.Label, wrong)
	}
	if f.rules.distinct {
		seen := make(map[string]bool, len(items))
		for _, v := range items {
			text := Field{Kind: JSON}.Format(v)
			if seen[text] {
				return fmt.Errorf("%s must not have an item twice", f.Label)
			}
			seen[text] = true
		}
	}
	return nil
}

// InitialItems returns how many items a List shows initially, which is its minimal number of items.
func (f Field) InitialItems() int {
	if f.rules.least == nil || !f.rules.least.value.IsInt() || !f.rules.least.value.Num().IsInt64() {
		return 0
	}
	return int(min(f.rules.least.value.Num().Int64(), 20))
}

// Limits describes the restrictions of the value in words, for the label. It returns "" if there
// are none.
func (f Field) Limits() string {
	switch f.Kind {
	case Number, Integer:
		return f.Range.String()
	case Text, LongText, List, MultiChoice:
		unit := "characters"
		if f.Kind == List || f.Kind == MultiChoice {
			unit = "items"
		}
		switch {
		case f.rules.least != nil && f.rules.most != nil:
			return fmt.Sprintf("%s to %s %s", f.rules.least.written, f.rules.most.written, unit)
		case f.rules.most != nil:
			return fmt.Sprintf("at most %s %s", f.rules.most.written, unit)
		case f.rules.least != nil && f.rules.least.written != "1":
			return fmt.Sprintf("at least %s %s", f.rules.least.written, unit)
		}
	}
	return ""
}

// Placeholder returns the text that an empty input shows: an example of the expected format.
func (f Field) Placeholder() string {
	switch f.Kind {
	case Date:
		return "YYYY-MM-DD"
	case Time:
		return "HH:MM"
	case Moment:
		return "YYYY-MM-DD HH:MM"
	case JSON:
		return f.example
	}
	switch f.rules.format {
	case "email":
		return "name@example.org"
	case "uri", "url":
		return "https://"
	}
	return ""
}
