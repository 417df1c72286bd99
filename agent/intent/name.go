package intent

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"goated/internal/lazyregexp"
)

// takesFile reports whether an argument may be a file name although it does not have the role of a
// path.
func takesFile(name string) bool {
	return containsAny(strings.ToLower(name), "file", "path", "doc", "key", "object", "blob", "attachment", "source", "input", "asset", "query", "text", "content", "search", "name", "title", "message", "command", "pattern", "note", "uri")
}

// people lists the arguments for the name of a person. personal matches such a name.
var (
	people   = set("contact person recipient friend assignee guest attendee member author artist colleague")
	personal = lazyregexp.New(`\b(?:with|to|from|for|by)\s+(\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)*)`)
)

// linking lists the words that may occur within a name.
var linking = []string{"of", "the", "and", "de", "la", "le", "du", "von", "van", "der", "in", "on", "to", "for", "a"}

// properName finds a name after the word for its kind: the title in "the movie Casablanca", for
// example. A name consists of one or more capitalized words.
func properName(f *filling, name string) string {
	parts := Words(name)
	if len(parts) == 0 || !slices.Contains([]string{"name", "title"}, parts[len(parts)-1]) {
		return ""
	}
	said := strings.Fields(f.text)
	for i := 0; i+1 < len(said); i++ {
		w := stem(strings.ToLower(said[i]))
		if changeVerbs[w] || lookupVerbs[w] || genericVerbs[w] || !slices.Contains(f.document.name, w) && !f.server[w] {
			continue
		}
		var found []string
		for _, next := range said[i+1:] {
			plain := strings.TrimRight(next, ".,:;!?")
			first := []rune(plain + " ")[0]
			if !unicode.IsUpper(first) && (len(found) == 0 || !slices.Contains(linking, plain)) {
				break
			}
			if found = append(found, plain); plain != next {
				break
			}
		}
		for len(found) > 0 && slices.Contains(linking, found[len(found)-1]) {
			found = found[:len(found)-1]
		}
		if len(found) > 0 {
			return strings.Join(found, " ")
		}
	}
	return ""
}

// units maps a quantity to words for its units.
var units = map[string][]string{
	"length": words("characters chars letters digits signs symbols words"), "duration": words("seconds minutes hours"),
	"limit": words("results items entries"), "count": words("times items"), "days": words("days"), "size": words("pixels px bytes"),
	"guests": words("people persons adults"), "people": words("persons guests"), "copies": words("copies"),
}

var measuring = lazyregexp.New(`(-?\d+(?:\.\d+)?)\s+(\pL+)`)

// numberWithUnit finds a number by the unit after it: "24 characters" is a length.
func numberWithUnit(f *filling, parts []string, p map[string]any) any {
	for _, m := range f.submatches(measuring) {
		unit := stem(strings.ToLower(m[2]))
		if !slices.ContainsFunc(parts, func(w string) bool { return slices.Contains(units[w], unit) }) {
			continue
		}
		if v, ok := convert(m[1], p); ok && f.take(number, func(e entity) bool { return e.text == m[1] }) != "" {
			f.counted = append(f.counted, unit)
			return v
		}
	}
	return nil
}

var (
	sized     = lazyregexp.New(`(?i)\b(\d+)\s*(?:x|×|by)\s*(\d+)\b`)
	regarding = lazyregexp.New(`(?i)\b(?:about|regarding|concerning)\s+(\S.*?)[?.!]*$`)
)

// fillSize finds a width and a height, as in "640 by 480".
func fillSize(f *filling) {
	m := f.submatch(sized, f.text)
	if m == nil || f.roleOf("width") != roleNumber || f.roleOf("height") != roleNumber {
		return
	}
	for i, name := range []string{"width", "height"} {
		if v, ok := convert(m[i+1], f.properties[name]); ok && f.args[name] == nil && f.take(number, func(e entity) bool { return e.text == m[i+1] }) != "" {
			f.args[name] = v
		}
	}
}

// fillAbout finds the topic of the requested things for an optional argument.
func fillAbout(f *filling) {
	m := f.submatch(regarding, f.text)
	if m == nil || argumentContains(f.args, m[1]) {
		return
	}
	for _, name := range f.order {
		if f.args[name] == nil && !slices.Contains(f.required, name) && slices.Contains([]string{"topic", "subject", "category", "theme"}, strings.ToLower(name)) && kindOf(f.properties[name]) == "string" {
			f.args[name] = f.clean(m[1])
			f.loose = append(f.loose, name)
			return
		}
	}
}

var several = lazyregexp.New(`\b(\d{1,4})\s+((?:\pL+\s+){0,2}\pL+)`)

// listLimit finds how many things to list. For "10 HubSpot contacts" and a tool that lists contacts,
// it returns 10.
func listLimit(f *filling, parts []string, p map[string]any) any {
	if !slices.ContainsFunc(parts, func(w string) bool { return slices.Contains([]string{"limit", "count", "max", "top"}, w) }) {
		return nil
	}
	for _, m := range f.submatches(several) {
		if !slices.ContainsFunc(Words(m[2]), func(w string) bool { return strings.HasSuffix(w, "s") && slices.Contains(f.document.name, stem(w)) }) {
			continue
		}
		if v, ok := convert(m[1], p); ok && f.take(number, func(e entity) bool { return e.text == m[1] }) != "" {
			return v
		}
	}
	return nil
}

// isUsedNumber reports whether a word is a number that became an argument.
func isUsedNumber(f *filling, word string) bool {
	for _, v := range f.args {
		if n, ok := v.(json.Number); ok && n.String() == word {
			return true
		}
	}
	return false
}

// quotedAt returns the text in quotes that begins with a word, and marks it as used.
func quotedAt(f *filling, word string) string {
	return f.take(quoted, func(e entity) bool {
		return strings.Contains(e.text, " ") && strings.Trim(strings.Fields(e.text)[0], ",:;!?\"'`") == word
	})
}

// isUnexplained reports whether a word contributes something that neither the tool nor its arguments
// explain.
func isUnexplained(f *filling, word string) bool {
	return !isUsedNumber(f, strings.Trim(word, ".,:;!?")) && slices.ContainsFunc(Words(word), func(w string) bool { return !stopWords[w] && f.weight(f.document, stem(w)) < 0.4 })
}
