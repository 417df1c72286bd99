package intent

import (
	"slices"
	"strings"
)

// These sets contain stems of words in the names of tools. textNouns are words for the text of a
// file, and aboutFile are words for metadata of a file.
var (
	textNouns = set(strings.Join(words("file files text texts content contents document documents"), " "))
	aboutFile = set(strings.Join(words("info information metadata detail details stat stats size sizes list search find tree diff log history outline status permissions lines symbols summary count hash type"), " "))
)

// ReadsFile returns the extension of the file whose text a call of the tool returns. It returns ""
// for other calls, such as one for the size of a file.
func ReadsFile(t Tool, args map[string]any) string {
	d := newDocument(&t)
	reads := slices.ContainsFunc(d.name, func(w string) bool {
		return slices.ContainsFunc(conceptsOf(w), func(c string) bool { return c == "read" || c == "get" })
	})
	names := func(of map[string]bool) bool {
		return slices.ContainsFunc(d.name, func(w string) bool { return of[w] })
	}
	if !reads || len(d.name) > 1 && !names(textNouns) || names(aboutFile) || changesOf(d) {
		return ""
	}
	for _, name := range d.order {
		if s, ok := args[name].(string); ok && slices.Contains([]role{rolePath, roleName}, d.roleOf(name)) && extension(s) != "" {
			return extension(s)
		}
	}
	return ""
}
