package intent

import (
	"slices"
	"strings"
	"unicode"
)

// Imperative turns the description of a tool into an order for the middle of a sentence: for "Shows the
// status" it returns "show the status". It reports false for a text that does not begin with a verb, and for
// a title in capitals, which is a name.
func Imperative(said string) (string, bool) {
	all := strings.Fields(said)
	if len(all) < 2 {
		return "", false
	}
	capitals := 0
	for _, w := range all[1:] {
		if r := []rune(w); len(r) > 1 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1]) {
			capitals++
		}
	}
	verb := strings.ToLower(all[0])
	if 2*capitals >= len(all)-1 && capitals > 0 || !isVerb(verb) { // Create Directory
		return "", false
	}
	all[0] = base(verb)
	return strings.Join(all, " "), true
}

// isVerb reports whether a word is a verb that tools use.
func isVerb(w string) bool {
	if inflected(w) || nouns[w] {
		return false
	}
	return changeVerbs[stem(w)] || lookupVerbs[stem(w)] || slices.Contains(verbs, base(w)) || genericVerbs[stem(w)] || fileVerbs[stem(w)] || otherVerbs[base(w)]
}

// otherVerbs lists verbs that begin titles and descriptions but are rare in requests. nouns lists
// words that requests use like verbs, and titles use as nouns.
var (
	otherVerbs = set(`apply arrange answer ask change check clean click collect combine connect detect draw evaluate export fill filter fix focus format generate go help identify import
		label map measure monitor notify parse paste perform pick plan press process provide rank recognize refresh register render report respond scan scroll select share sign sort speak
		split submit suggest summarize sync tell test track transcribe transform translate turn type unpack verify wait warn watch`)
	nouns = set("status log logs diff tree info stat stats head tail current lookup count preview")
)

// base returns a verb without the suffix of the third person.
func base(w string) string {
	for _, ending := range []string{"ches", "shes", "sses", "xes", "zes"} {
		if strings.HasSuffix(w, ending) {
			return strings.TrimSuffix(w, "es")
		}
	}
	switch {
	case strings.HasSuffix(w, "ss"):
		return w
	case strings.HasSuffix(w, "ies"):
		return strings.TrimSuffix(w, "ies") + "y"
	}
	return strings.TrimSuffix(w, "s")
}
