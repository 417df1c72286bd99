package intent

import (
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// A file name may contain spaces: "read trip notes.md". The words before a word with a file
// extension belong to the name, back to the verb or to a word that cannot be part of a name. File
// names in earlier results take precedence.

var (
	// fileVerbs lists verbs whose object is a file.
	fileVerbs = set(strings.Join(words("read open show display print view see cat load find locate delete remove erase rename move copy edit duplicate trash"), " "))
	// beforeName lists the words before which a name begins: articles, prepositions, and nouns for files.
	beforeName = set(`the an my our your this that me us to into in as onto from on with of for about at by inside under called named and or then
		file files document documents doc image picture photo video script page text spreadsheet sheet presentation archive new existing whole entire first last both all only each every everything anything`)
	// withinName lists the words of beforeName that may be part of a name: "Letter to Anna.docx".
	withinName = set("to and")
	// placeWords lists the words that a file name may follow without a verb. introducing lists the words
	// that may be in between.
	placeWords    = set("to into in as onto from on inside does is was did")
	introducing   = set("the my our your this that file document note")
	transferVerbs = set(strings.Join(words("copy move rename duplicate"), " "))
	// aspects lists concepts for properties of a file, such as its size.
	aspects   = []string{"info", "differ", "log", "commit", "status", "outline", "tree", "list", "describe", "stage", "branch"}
	partNouns = set(`line lines row rows contents content beginning start end top bottom head tail todo todos word words bug bugs error errors function functions method class symbol symbols import imports call calls use uses change changes update updates version versions summary`)
	nameWord  = lazyregexp.New(`^[\pL\pN(&_+#][\pL\pN()&_'’+#.-]*$`)
)

// maxSpaced limits the number of words before the last word of a name.
const maxSpaced = 5

// quoteSpaced puts file names with spaces into quotes. at contains the offsets at which the names
// begin.
func (x *index) quoteSpaced(text string) (quotedText string, at []int) {
	if strings.ContainsAny(text, "\"“`{\n") || !strings.Contains(text, ".") {
		return text, nil
	}
	said := strings.Fields(text)
	verb := slices.IndexFunc(said[:min(len(said), 3)], func(w string) bool { return fileVerbs[stem(strings.ToLower(w))] })
	var b strings.Builder
	from := 0 // the first word that is not in the output yet
	for i := range said {
		name := strings.TrimRight(said[i], ".,!?;:")
		if !isDocument(name) || strings.ContainsAny(name, `/\:@*'’`) || !nameWord.MatchString(name) {
			continue
		}
		first := max(from, verb+1)
		start := startOfName(said, first, i, verb >= 0)
		before := start
		for k := max(first, i-maxSpaced); k <= i; k++ {
			if x.resultsList(strings.Join(append(slices.Clone(said[k:i]), name), " ")) {
				before, start = min(start, k), k // the words before a listed name only describe it
				break
			}
		}
		if before == i {
			continue
		}
		writeWords(&b, said[from:before])
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		at = append(at, b.Len())
		b.WriteString(`"` + strings.Join(append(slices.Clone(said[start:i]), name), " ") + `"` + said[i][len(name):])
		from = i + 1
	}
	if at == nil {
		return text, nil
	}
	writeWords(&b, said[from:])
	return b.String(), at
}

func writeWords(b *strings.Builder, said []string) {
	for _, w := range said {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
}

// startOfName returns the index of the first word of the name that ends with the word at end. No
// word before first belongs to it. ordered means that the verb of an order precedes first.
func startOfName(said []string, first, end int, ordered bool) int {
	start := end
	for start > first && end-start < maxSpaced {
		w := said[start-1]
		lower := strings.ToLower(w)
		if strings.Contains(w, "/") && !strings.HasSuffix(w, "/") && extension(w) == "" && !strings.Contains(w, "://") {
			return start - 1 // the folders of the path
		}
		if endsName(lower) && !(ordered && withinName[lower] && continues(said[first:start-1]) && (lower != "to" || !transferVerbs[stem(strings.ToLower(said[first-1]))])) || !nameWord.MatchString(w) || isFile(w) {
			break
		}
		if lower == "a" && start < end { // "a trip notes.md" has an article; "a b.txt" is a name
			break
		}
		start--
	}
	k := start
	for k > first && introducing[strings.ToLower(said[k-1])] {
		k--
	}
	if k > first { // something other than the verb precedes the name
		before := strings.ToLower(said[k-1])
		if partNouns[before] || isAspect(before) || !ordered && !placeWords[before] {
			return end
		}
	} else if !ordered {
		return end
	}
	for ; start < end; start++ { // "to notes.md" does not begin a name
		if !beforeName[strings.ToLower(said[start])] {
			break
		}
	}
	return start
}

// continues reports whether the words before "to", "and" or "for" belong to a name, too.
func continues(said []string) bool {
	return len(said) > 0 && !slices.ContainsFunc(said, func(w string) bool {
		lower := strings.ToLower(w)
		return endsName(lower) || !nameWord.MatchString(w) || isFile(w) || changeVerbs[stem(lower)] || lookupVerbs[stem(lower)]
	})
}

// endsName reports whether a word cannot be part of the file name that follows it.
func endsName(w string) bool {
	return beforeName[w] || partNouns[w] || len(w) > 1 && stopWords[w] || limiting.MatchString(w) || otherTime.MatchString(w) || isAspect(w)
}

// isAspect reports whether a word stands for a property of a file, such as its size or its history.
func isAspect(w string) bool {
	if fileVerbs[stem(w)] {
		return true
	}
	return slices.ContainsFunc(conceptsOf(stem(w)), func(c string) bool { return slices.Contains(aspects, c) })
}

// resultsList reports whether an earlier result lists a file with the name.
func (x *index) resultsList(name string) bool {
	for at := 0; ; {
		i := strings.Index(x.seen[at:], name)
		if i < 0 {
			return false
		}
		before, after := strings.TrimRight(x.seen[:at+i], " "), x.seen[at+i+len(name):]
		at += i + len(name)
		if (before == "" || !letter(before[len(before)-1]|0x20) || strings.HasSuffix(before, "/")) && (after == "" || !letter(after[0]|0x20)) {
			return true
		}
	}
}

// orderBefore matches the words of an order before the name of its file.
var orderBefore = lazyregexp.New("(?i)^(?:read|open|show|display|print|view|see|cat|load|delete|remove|erase)\\s+(?:(?:me|the|my|our|file|document)\\s+)*[\"'“‘`]$")

// asPaths turns the quoted texts that begin at the given offsets into paths, including their
// quotes. A quoted file name after the verb becomes a path, too.
func asPaths(text string, all []entity, at []int) {
	for i, e := range all {
		switch {
		case e.kind != quoted:
		case slices.Contains(at, e.from-1):
			all[i].kind, all[i].from, all[i].to = path, e.from-1, e.to+1
		case isDocument(e.text) && orderBefore.MatchString(text[:e.from]):
			all[i].kind = path
		}
	}
}
