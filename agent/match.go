package agent

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
)

// A choice is a tool that fits a request, with the arguments from the request.
type choice struct {
	offer *offer
	args  map[string]any
	why   string
}

// enough is the least score of a tool that fits: about one word of its name that few
// other tools have.
const enough = 2.0

// match returns the tool whose name and description share the rarest words with the
// request; nil if none fits. If the request is one of phrases, match first tries the
// tools that can take all arguments of the phrase.
func match(request string, all []*offer) *choice {
	rare := rarity(all)
	if p, slots := parse(request); p != nil {
		var able []*offer
		for _, f := range all {
			if p.arguments(f, slots) != nil {
				able = append(able, f)
			}
		}
		if f, hits := best(p.about, able, rare); f != nil {
			return &choice{f, p.arguments(f, slots), "it is about " + and(hits)}
		}
	}
	f, hits := best(request, all, rare)
	if f == nil {
		return nil
	}
	return &choice{f, fill(request, f), "your words and its description share " + and(hits)}
}

// best returns the offer with the highest score, the first of equals, and the words
// that it shares with the request.
func best(request string, all []*offer, rare func(string) float64) (*offer, []string) {
	want := tokens(request)
	var top *offer
	var topHits []string
	score := enough - 1e-9
	for _, f := range all {
		s, hits := 0.0, []string(nil)
		name, described := tokens(f.tool+" "+f.server), tokens(f.description)
		for _, w := range slices.Sorted(maps.Keys(want)) {
			switch {
			case name[w]:
				s += 3 * rare(w)
			case described[w]:
				s += rare(w)
			case name.related(w) != "":
				s += 2 * rare(name.related(w))
			default:
				continue
			}
			hits = append(hits, fmt.Sprintf("%q", want.original(w, request)))
		}
		if s > score {
			score, top, topHits = s, f, hits
		}
	}
	return top, topHits
}

// rarity returns the weight of a word: the fewer tools use it, the higher.
func rarity(all []*offer) func(string) float64 {
	count := make(map[string]int)
	for _, f := range all {
		for w := range tokens(f.tool + " " + f.server + " " + f.description) {
			count[w]++
		}
	}
	return func(w string) float64 {
		return cmp.Or(math.Log2(float64(len(all)+1)/float64(count[w]+1)), 0) + 0.7
	}
}

// A set holds words in their plain form.
type set map[string]bool

// related returns the word of the set that begins with w, or with which w begins:
// "upper" for "uppercase", "translate" for "translat".
func (s set) related(w string) string {
	for _, k := range slices.Sorted(maps.Keys(s)) {
		if len(k) >= 4 && len(w) >= 4 && (strings.HasPrefix(w, k) || strings.HasPrefix(k, w)) {
			return k
		}
	}
	return ""
}

// original returns the word of the request whose plain form is w.
func (set) original(w, request string) string {
	for _, word := range split(request) {
		if plainForm(word) == w {
			return word
		}
	}
	return w
}

// tokens returns the words of text and identifiers in their plain form, without stop
// words.
func tokens(text string) set {
	words := make(set)
	for _, w := range split(text) {
		if w = plainForm(w); !stop[w] {
			words[w] = true
		}
	}
	return words
}

// split returns the words of text: runs of letters and digits, with camelCase
// separated.
func split(text string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	prev := ' '
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			end()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		prev = r
	}
	end()
	return words
}

// plainForm removes the endings of English words and unites words that mean the same
// to a tool.
func plainForm(w string) string {
	if s, ok := synonyms[w]; ok {
		return s
	}
	for _, ending := range []string{"ies", "ing", "es", "ed", "s"} {
		stem, ok := strings.CutSuffix(w, ending)
		if !ok || len(stem) < 3 || strings.HasSuffix(w, "ss") {
			continue
		}
		if ending == "ies" {
			stem += "y"
		}
		if ending == "es" && !strings.HasSuffix(stem, "s") && !strings.HasSuffix(stem, "x") && !strings.HasSuffix(stem, "ch") && !strings.HasSuffix(stem, "sh") {
			stem += "e"
		}
		w = stem
		break
	}
	if s, ok := synonyms[w]; ok {
		return s
	}
	return w
}

var synonyms = map[string]string{
	"folder": "directory", "dir": "directory", "path": "directory", "ls": "list", "show": "list", "contents": "content",
	"recall": "remember", "memory": "remember", "memorize": "remember", "store": "remember",
	"sum": "add", "plus": "add", "addition": "add", "calc": "calculate", "compute": "calculate",
	"find": "search", "lookup": "search", "grep": "search", "get": "read", "fetch": "read", "open": "read",
	"make": "create", "new": "create", "remove": "delete", "erase": "delete",
	"beep": "sound", "noise": "sound", "message": "text", "note": "file", "document": "file",
}

var stop = set{
	"a": true, "an": true, "the": true, "of": true, "in": true, "on": true, "to": true, "for": true, "from": true, "with": true,
	"and": true, "or": true, "is": true, "are": true, "be": true, "it": true, "its": true, "this": true, "that": true,
	"me": true, "my": true, "i": true, "you": true, "your": true, "please": true, "can": true, "could": true, "would": true,
	"what": true, "which": true, "who": true, "how": true, "do": true, "does": true, "use": true, "tool": true, "as": true,
	"at": true, "by": true, "about": true, "called": true, "call": true, "named": true, "name": true, "all": true, "any": true,
	"if": true, "not": true, "no": true, "will": true, "s": true, "give": true, "tell": true, "let": true,
}
