package intent

import (
	"maps"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// codeIdentifier matches identifiers such as light.kitchen, ENG-42, cus_81 and C024BE91L.
var codeIdentifier = lazyregexp.New(`\b(?:[a-z][a-z0-9_]*\.[a-z][a-z0-9_]+|[A-Z]{2,}-\d+|[a-z]{2,5}_[a-z]*\d\w*|[A-Z][A-Z0-9]*\d[A-Z0-9]*)\b`)

// identifier finds an identifier for an argument that needs one.
func (f *filling) identifier(name string) string {
	parts := Words(name)
	if len(parts) == 0 || !slices.Contains([]string{"id", "entity", "device", "number", "code"}, parts[len(parts)-1]) {
		return ""
	}
	for _, at := range codeIdentifier.FindAllStringIndex(f.text, -1) {
		id := f.text[at[0]:at[1]]
		if isDocument(id) && slices.ContainsFunc(f.entities, func(e entity) bool { return e.kind == path && e.text == id }) {
			continue // notes.txt is a file
		}
		if slices.ContainsFunc(f.entities, func(e entity) bool {
			return e.from < at[1] && at[0] < e.to && (e.kind != path && e.kind != number || strings.ContainsAny(e.text, `/\\~`))
		}) || argumentContains(f.args, id) {
			continue
		}
		f.markUsed(id)
		f.dotted = f.dotted || strings.Contains(id, ".") && (parts[0] == "entity" || parts[0] == "device")
		return id
	}
	if slices.Contains(f.required, name) {
		return f.take(number, nil) // error 5521
	}
	return ""
}

// codesOf returns the stems of values that are codes. Parts of a code do not refer to a tool.
func codesOf(f *filling) map[string]bool {
	all := make(map[string]bool)
	for name, v := range f.args {
		if s, ok := v.(string); ok && !slices.Contains(f.loose, name) && !slices.ContainsFunc(f.entities, func(e entity) bool { return e.text == s }) && !strings.ContainsAny(s, " /") && (strings.ContainsAny(s, "-_.") || strings.ContainsAny(s, "0123456789")) {
			maps.Copy(all, stems(s))
		}
	}
	return all
}

// longExtensions lists the file extensions that are as long as words.
var longExtensions = set("markdown properties sqlite gradle geojson parquet torrent webmanifest excalidraw package example service desktop config")

// dotted reports whether a word consists of two words and a dot, such as climate.office, and is not
// a file name.
func dotted(word string) bool {
	before, after, ok := strings.Cut(word, ".")
	return ok && before != "" && len(after) > 5 && !strings.ContainsAny(word, `/\\~`) && !strings.Contains(after, ".") && !longExtensions[strings.ToLower(after)] && before == strings.ToLower(before)
}

// labelled finds a text in quotes after the name of its argument, as in: subject "Lunch".
func (f *filling) labelled(name string, of role) string {
	if !slices.Contains([]role{roleFree, roleText, roleKey, roleValue}, of) {
		return ""
	}
	lower := strings.ToLower(name)
	for i, e := range f.entities {
		if e.kind != quoted || f.used[i] {
			continue
		}
		before := strings.TrimRight(strings.ToLower(f.text[:e.from]), " :=\"'`“")
		before = strings.TrimSuffix(strings.TrimSuffix(before, " is"), " of")
		if label, ok := strings.CutSuffix(before, lower); ok && (label == "" || strings.HasSuffix(label, " ") || strings.HasSuffix(label, ",")) {
			f.used[i] = true
			return e.text
		}
	}
	return ""
}
