package intent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (f *filling) path(name string, needed bool) any {
	n := strings.ToLower(name)
	folder := containsAny(n, "repo", "dir", "folder", "root") && !containsAny(n, "file")
	found := f.take(path, func(e entity) bool {
		return (!folder || !isFile(e.text)) && (!containsAny(n, "repo") || !f.matches(branching, f.text[:e.from]))
	})
	if m := f.submatch(naming, f.text); m != nil && !containsAny(n, "repo") {
		called := strings.TrimRight(unquote(m[1]), ",.!:")
		switch {
		case found == "":
			found = called
		case strings.Contains(called, "*"):
		case !strings.Contains(m[1], found):
			found = strings.TrimRight(found, "/") + "/" + called
		}
	}
	if found != "" {
		return found
	}
	if !needed {
		return nil
	}
	if q := f.take(quoted, nil); q != "" {
		return q
	}
	if m := f.submatch(inFolder, f.text); m != nil {
		if dir := m[1] + m[2] + m[3]; !stopWords[strings.ToLower(dir)] && !slices.Contains([]string{"project", "repo", "repository", "current", "folder", "directory", "workspace"}, strings.ToLower(dir)) {
			return dir
		}
	}
	if f.matches(currentFolder, f.text) && !strings.Contains(strings.ToLower(name), "repo") {
		return "."
	}
	return nil
}

func (f *filling) list(name string, needed bool) any {
	var all []any
	n := strings.ToLower(name)
	if containsAny(n, "path", "file", "input", "source", "document", "image", "attachment") {
		for e := f.take(path, nil); e != ""; e = f.take(path, nil) {
			all = append(all, e)
		}
	}
	if slices.Contains([]string{"to", "cc", "bcc", "recipients", "emails", "attendees"}, n) {
		for e := f.take(email, nil); e != ""; e = f.take(email, nil) {
			all = append(all, e)
		}
	}
	if len(all) == 0 && needed {
		files := containsAny(n, "path", "file")
		named := func(e entity) bool {
			return !files || !strings.Contains(e.text, " ") || isFile(e.text) || strings.Contains(e.text, "/")
		}
		for q := f.take(quoted, named); q != ""; q = f.take(quoted, named) {
			all = append(all, q)
		}
	}
	if len(all) == 0 && needed {
		f.loose = append(f.loose, name)
		for _, one := range joined.Split(f.remainder(name), -1) {
			if one = strings.TrimSpace(one); one != "" {
				all = append(all, one)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func (f *filling) content(needed bool) any {
	if m := f.submatch(contained, f.text); m != nil {
		return strings.TrimSpace(unquote(onDesktop.ReplaceAllString(m[1], "")))
	}
	if !needed {
		return nil
	}
	if m := f.submatch(naming, f.text); m != nil {
		if m := f.submatch(entitled, f.text); m != nil {
			return strings.TrimSpace(unquote(m[1]))
		}
	}
	for _, e := range f.entities { // write TEXT to PATH
		if e.kind == path {
			if m := f.submatch(intoFile, f.text[:e.from]); m != nil {
				return unquote(m[1])
			}
		}
	}
	if q := f.take(quoted, nil); q != "" {
		return q
	}
	if m := f.submatch(afterColon, f.text); m != nil && (f.matches(naming, f.text) || f.matches(notes, f.text)) {
		f.noted = f.noted || !f.matches(naming, f.text)
		return strings.TrimSpace(m[1])
	}
	return nil
}

// free finds a text without a special form. Such a text follows a word from the name of its
// argument, as in "branch main", or is in quotes.
func (f *filling) free(name string, needed bool) any {
	words := strings.Fields(f.text)
	parts := Words(name)
	if slices.Contains(parts, "base") || slices.Contains(parts, "from") || slices.Contains(parts, "parent") {
		if m := f.submatch(derived, f.text); m != nil {
			f.markUsed(m[1])
			return strings.TrimRight(m[1], ".")
		}
		return nil
	}
	if slices.Contains(parts, "target") || slices.Contains(parts, "base") || slices.Contains(parts, "other") {
		if m := f.submatch(opposed, f.text); m != nil {
			f.markUsed(m[1])
			return strings.TrimRight(m[1], ".")
		}
	}
	if m := f.submatch(symbol, f.text); m != nil && m[0] != "" && needed && f.findsDefinitions() && slices.Contains([]string{"name", "symbol", "identifier", "function"}, parts[len(parts)-1]) {
		return strings.TrimSuffix(m[0], "()")
	}
	if m := f.submatch(personal, f.text); m != nil && needed && len(parts) > 0 && people[parts[len(parts)-1]] {
		return m[1]
	}
	for _, part := range parts {
		if stopWords[part] || len(part) < 3 {
			continue
		}
		for i := len(words) - 2; i >= 0; i-- {
			word := stem(strings.ToLower(strings.Trim(words[i], ".,:;!?")))
			next := strings.Trim(words[i+1], ",:;!?\"'`")
			if next == "called" || next == "named" || next == "of" || next == "to" || next == "is" {
				if i+2 >= len(words) {
					continue
				}
				next = strings.Trim(words[i+2], ",:;!?\"'`")
			}
			if f.similarity(word, stem(part)) < 0.7 || next == "" || stopWords[strings.ToLower(next)] || f.weight(f.document, stem(strings.ToLower(next))) >= 0.6 {
				continue
			}
			if word != stem(part) && !needed {
				continue
			}
			if whole := quotedAt(f, next); whole != "" {
				return whole
			}
			f.markUsed(next)
			return strings.TrimSuffix(next, ".")
		}
	}
	if !needed {
		return nil
	}
	if q := f.take(quoted, nil); q != "" {
		return q
	}
	if proper := properName(f, name); proper != "" {
		return proper
	}
	if m := f.submatch(naming, f.text); m != nil && name != "owner" && !(name == "repo" && f.properties["owner"] != nil) && !f.misnames(name, unquote(m[1])) {
		return strings.TrimRight(unquote(m[1]), ",.!?:")
	}
	return nil
}

// findsDefinitions reports whether a tool searches for a definition in code.
func (f *filling) findsDefinitions() bool {
	return slices.ContainsFunc(append(slices.Clone(f.name), slices.Collect(maps.Keys(f.lead))...), func(w string) bool { return w == stem("symbol") || w == stem("function") || w == stem("definition") })
}

// assignRemainder assigns the words after the tool's own words to the only missing text argument.
func (f *filling) assignRemainder() {
	var open []string
	for _, name := range f.required {
		if _, known := f.args[name]; !known && slices.Contains([]role{roleFree, roleText, roleKey, roleValue}, f.roleOf(name)) {
			open = append(open, name)
		}
	}
	if len(open) == 0 && len(f.required) == 0 {
		for _, name := range f.order { // an optional argument for the whole query
			if _, known := f.args[name]; !known && f.roleOf(name) == roleFree && len(f.args) == 0 && containsAny(strings.ToLower(name), "query", "search", "term", "keyword") {
				open = append(open, name)
			}
		}
	}
	if len(open) == 0 && slices.ContainsFunc(f.required, func(name string) bool { return f.roleOf(name) == roleAction }) {
		for _, name := range f.order { // the object of the action
			if _, known := f.args[name]; !known && f.roleOf(name) == roleKey && len(open) == 0 {
				open = append(open, name)
			}
		}
	}
	for _, name := range f.order {
		if _, known := f.args[name]; !known && f.roleOf(name) == roleFree && containsAny(strings.ToLower(name), "city", "location", "place", "country", "town", "region") {
			if m := f.submatch(placeName, f.text); m != nil {
				f.args[name] = m[1]
				if !slices.Contains(f.required, name) {
					f.loose = append(f.loose, name)
				}
				open = slices.DeleteFunc(open, func(n string) bool { return n == name })
			}
		}
	}
	fillAbout(f)
	if len(open) != 1 {
		return
	}
	value := f.remainder(open[0])
	if says := !f.question || slices.ContainsFunc(Words(value), func(w string) bool { return !stopWords[w] }); says && !f.misnames(open[0], value) {
		f.args[open[0]] = value
		f.loose = append(f.loose, open[0])
		f.markUsed(value)
	}
}

// misnames reports whether a text is not a plausible value for the argument name. For example, a
// path is not a name, and an owner or an ID is one word.
func (f *filling) misnames(name, text string) bool {
	if noTopic.MatchString(text) && (factFiller{f}).forgets() { // "forget everything"
		return true
	}
	if !takesFile(name) && slices.ContainsFunc(f.entities, func(e entity) bool { return e.kind == path && isDocument(e.text) && strings.HasPrefix(text, e.text) }) {
		return true
	}
	if keyed := slices.Contains([]string{"key", "object", "blob"}, strings.ToLower(name)); !keyed && f.roleOf(name) == roleKey && slices.ContainsFunc(f.entities, func(e entity) bool { return (e.kind == path || e.kind == url) && e.text == text }) {
		return true
	}
	parts := Words(name)
	last := ""
	if len(parts) > 0 {
		last = parts[len(parts)-1]
	}
	if len(parts) > 0 && (last == "id" || last == "key" && len(parts) > 1) && (isDocument(text) || strings.HasPrefix(text, "/")) {
		return true
	}
	one := slices.Contains([]string{"owner", "user", "login", "username", "account", "org", "organization", "repo", "id"}, last) || len(parts) > 1 && last == "name"
	return one && strings.ContainsAny(strings.TrimSpace(text), " /")
}

// remainder returns the words after those that refer to the tool and its arguments. For "please
// reverse the text hello world" it returns "hello world".
func (f *filling) remainder(name string) string {
	text := strings.TrimSpace(f.text)
	if f.question || slices.Contains(f.concepts(f.verb), "search") {
		if m := finding.FindStringSubmatch(text); m != nil && !f.question && f.weight(f.document, stem(strings.ToLower(m[1]))) < 0.4 {
			return f.clean(m[1])
		}
		if m := following.FindStringSubmatch(text); m != nil {
			rest := m[1]
			for m := following.FindStringSubmatch(rest); m != nil; m = following.FindStringSubmatch(rest) { // papers on X
				before, _, _ := strings.Cut(rest, " ")
				if !strings.HasSuffix(rest, m[0]) || strings.TrimSpace(strings.TrimSuffix(rest, m[0])) != before || f.weight(f.document, stem(strings.ToLower(before))) < 0.4 {
					break
				}
				rest = m[1]
			}
			return f.clean(rest)
		}
	}
	if m := using.FindStringSubmatch(text); m != nil && !argumentContains(f.args, m[1]) {
		return f.clean(m[1])
	}
	named := false
	parts := Words(name)
	for text != "" {
		word, after, _ := strings.Cut(text, " ")
		plain := strings.ToLower(strings.Trim(word, ".,:;!?"))
		s := stem(plain)
		switch {
		case f.weight(f.document, s) >= 0.4 && (!named || f.weight(f.document, s) >= 0.6 || slices.ContainsFunc(parts, func(p string) bool { return f.similarity(s, stem(p)) > 0.6 })):
			named = true
		case named && slices.Contains([]string{"text", "string", "word", "words", "value", "phrase", "message"}, plain):
		case stopWords[plain] && (!named || joiningWords[plain]) || plain == "" || isUsedNumber(f, plain):
		default:
			if !named {
				return ""
			}
			return f.clean(text)
		}
		text = strings.TrimSpace(after)
	}
	return ""
}

// clean removes the end of a question, and a place that is already another argument.
func (f *filling) clean(text string) string {
	for _, v := range f.args {
		if s, ok := v.(string); ok && s != "" {
			for _, in := range []string{" in ", " from ", " of ", " on ", " at ", " for "} {
				if at := strings.LastIndex(text, in); at >= 0 && strings.Contains(text[at:], s) {
					text = text[:at]
				}
			}
		}
	}
	text = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), "?"))
	for _, in := range []string{" from ", " in ", " of ", " to "} { // from the graph
		at := strings.LastIndex(text, in)
		if at > 0 && !slices.ContainsFunc(strings.Fields(text[at:]), func(w string) bool { return isUnexplained(f, w) }) {
			text = text[:at]
		}
	}
	for _, article := range []string{"the ", "a ", "an "} {
		if rest, ok := strings.CutPrefix(text, article); ok && rest != "" {
			text = rest
		}
	}
	return unquote(strings.TrimRight(text, "."))
}

var joiningWords = set("the a an of in on to for from with at about that called named by tool me my")

// usedStems returns the stems in the values of arguments. It includes arguments from the remaining
// words only for a tool that changes nothing, because a request for any other tool must be more
// exact.
func (f *filling) usedStems(changes bool) map[string]bool {
	all := toSet(append(slices.Clone(f.feelings), f.counted...))
	for name, v := range f.args {
		if changes && slices.Contains(f.loose, name) {
			continue
		}
		switch v := v.(type) {
		case string:
			maps.Copy(all, stems(v))
		case []any:
			data, _ := json.Marshal(v)
			maps.Copy(all, stems(string(data)))
		}
	}
	return all
}

// inLooseArgument reports whether a word is part of an argument from the remaining words.
func (f *filling) inLooseArgument(w string) bool {
	return slices.ContainsFunc(f.loose, func(name string) bool {
		switch v := f.args[name].(type) {
		case string:
			return stems(v)[w]
		case []any:
			return slices.ContainsFunc(v, func(one any) bool { s, _ := one.(string); return stems(s)[w] })
		}
		return false
	})
}

// runsSQL reports whether the request contains an SQL statement that writes, and the tool runs it.
func (f *filling) runsSQL() bool {
	for name := range f.args {
		if f.roleOf(name) == roleSQL {
			verb, _, _ := strings.Cut(strings.ToLower(fmt.Sprint(f.args[name])), " ")
			return verb != "select" && verb != "pragma"
		}
	}
	return false
}

// asksFor reports whether the action that the request asks for is one of verbs.
func (f *filling) asksFor(verbs map[string]bool) bool {
	for name, v := range f.args {
		if f.roleOf(name) == roleAction {
			if s, ok := v.(string); ok && verbs[stem(strings.ToLower(s))] {
				return true
			}
		}
	}
	return false
}

func unquote(s string) string {
	s = strings.TrimSpace(s)
	for _, q := range []string{`"`, "'", "`"} {
		if len(s) > 1 && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[1 : len(s)-1]
		}
	}
	return s
}
