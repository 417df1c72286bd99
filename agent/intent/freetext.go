package intent

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func (f *filling) path(name string, needed bool) any {
	n := strings.ToLower(name)
	folder := has(n, "repo", "dir", "folder", "root") && !has(n, "file")
	found := f.take(path, func(e entity) bool { return !folder || !isFile(e.text) })
	if m := naming.FindStringSubmatch(f.text); m != nil {
		called := strings.TrimRight(unquote(m[1]), ",.!")
		switch {
		case found == "":
			found = called
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
	if m := inFolder.FindStringSubmatch(f.text); m != nil {
		if dir := m[1] + m[2] + m[3]; !small[strings.ToLower(dir)] && !slices.Contains([]string{"project", "repo", "repository", "current", "folder", "directory", "workspace"}, strings.ToLower(dir)) {
			return dir
		}
	}
	if hereabouts.MatchString(f.text) && !strings.Contains(strings.ToLower(name), "repo") {
		return "."
	}
	return nil
}

func (f *filling) list(name string, needed bool) any {
	var all []any
	n := strings.ToLower(name)
	if has(n, "path", "file") {
		for e := f.take(path, nil); e != ""; e = f.take(path, nil) {
			all = append(all, e)
		}
	}
	if len(all) == 0 && needed {
		for q := f.take(quoted, nil); q != ""; q = f.take(quoted, nil) {
			all = append(all, q)
		}
	}
	if len(all) == 0 && needed {
		f.loose = append(f.loose, name)
		for _, one := range regexp.MustCompile(`\s*(?:,|\band\b)\s*`).Split(f.remainder(name), -1) {
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

func (f *filling) content(name string, needed bool) any {
	if m := contained.FindStringSubmatch(f.text); m != nil {
		return strings.TrimSpace(unquote(m[1]))
	}
	if !needed {
		return nil
	}
	for _, e := range f.entities { // write TEXT to PATH
		if e.kind == path {
			if m := intoFile.FindStringSubmatch(f.text[:e.from]); m != nil {
				return unquote(m[1])
			}
		}
	}
	if q := f.take(quoted, nil); q != "" {
		return q
	}
	return nil
}

// free finds a text without a form of its own: behind a word of its name, such as
// "branch main", or in quotes.
func (f *filling) free(name string, needed bool) any {
	words := strings.Fields(f.text)
	for _, part := range split(name) {
		if small[part] || len(part) < 3 {
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
			if f.share(word, stem(part)) < 0.7 || next == "" || small[strings.ToLower(next)] || f.weight(f.document, stem(strings.ToLower(next))) >= 0.6 {
				continue
			}
			if word != stem(part) && !needed {
				continue
			}
			f.spend(next)
			return strings.TrimSuffix(next, ".")
		}
	}
	if !needed {
		return nil
	}
	if q := f.take(quoted, nil); q != "" {
		return q
	}
	if m := naming.FindStringSubmatch(f.text); m != nil {
		return strings.TrimRight(unquote(m[1]), ",.!?")
	}
	return nil
}

// rest gives the words behind those that name the tool to the one text that is missing.
func (f *filling) rest() {
	var open []string
	for _, name := range f.required {
		if _, known := f.args[name]; !known && slices.Contains([]role{free, roleText, roleKey, roleValue}, f.roleOf(name)) {
			open = append(open, name)
		}
	}
	if len(open) == 0 && len(f.required) == 0 {
		for _, name := range f.order { // an optional text that stands for the whole
			if _, known := f.args[name]; !known && f.roleOf(name) == free && len(f.args) == 0 && has(strings.ToLower(name), "query", "search", "term", "keyword") {
				open = append(open, name)
			}
		}
	}
	for _, name := range f.order {
		if _, known := f.args[name]; !known && f.roleOf(name) == free && has(strings.ToLower(name), "city", "location", "place", "country", "town", "region") {
			if m := placed.FindStringSubmatch(f.text); m != nil {
				f.args[name] = m[1]
				open = slices.DeleteFunc(open, func(n string) bool { return n == name })
			}
		}
	}
	if len(open) != 1 {
		return
	}
	if value := f.remainder(open[0]); value != "" {
		f.args[open[0]] = value
		f.loose = append(f.loose, open[0])
	}
}

// remainder is the words behind those that name the tool and its arguments: of "please
// reverse the text hello world", it is "hello world".
func (f *filling) remainder(name string) string {
	text := strings.TrimSpace(f.text)
	if f.question || slices.Contains(f.concepts(f.verb), "search") {
		if m := finding.FindStringSubmatch(text); m != nil && !f.question && f.weight(f.document, stem(strings.ToLower(m[1]))) < 0.4 {
			return f.clean(m[1])
		}
		if m := following.FindStringSubmatch(text); m != nil {
			return f.clean(m[1])
		}
	}
	if m := using.FindStringSubmatch(text); m != nil {
		return f.clean(m[1])
	}
	named := false
	parts := split(name)
	for text != "" {
		word, after, _ := strings.Cut(text, " ")
		plain := strings.ToLower(strings.Trim(word, ".,:;!?"))
		s := stem(plain)
		switch {
		case f.weight(f.document, s) >= 0.4 && (!named || f.weight(f.document, s) >= 0.6 || slices.ContainsFunc(parts, func(p string) bool { return f.share(s, stem(p)) > 0.6 })):
			named = true
		case named && slices.Contains([]string{"text", "string", "word", "words", "value", "phrase", "message"}, plain):
		case small[plain] && (!named || joins[plain]) || plain == "":
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

// clean removes the end of a question, and the place that is another argument.
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
		if at > 0 && !slices.ContainsFunc(split(text[at:]), func(w string) bool { return !small[w] && f.weight(f.document, stem(w)) < 0.4 }) {
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

var joins = set("the a an of in on to for from with at about that called named by tool me my")

// taken returns the stems that are values of arguments. The rest of the words counts
// only for a tool that changes nothing: of others the request has to say more.
func (f *filling) taken(changes bool) map[string]bool {
	all := toSet(f.feelings)
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

// loosely reports whether a word is the value of an argument that takes any words.
func (f *filling) loosely(w string) bool {
	return slices.ContainsFunc(f.loose, func(name string) bool { s, _ := f.args[name].(string); return stems(s)[w] })
}

// states reports whether the request has a statement of SQL that writes, and that the
// tool runs.
func (f *filling) states() bool {
	for name := range f.args {
		if f.roleOf(name) == roleSQL {
			verb, _, _ := strings.Cut(strings.ToLower(fmt.Sprint(f.args[name])), " ")
			return verb != "select" && verb != "pragma"
		}
	}
	return false
}

// reads reports whether the action that the request asks for changes nothing.
func (f *filling) reads() bool {
	for name, v := range f.args {
		if f.roleOf(name) == roleAction {
			if s, ok := v.(string); ok && lookups[stem(strings.ToLower(s))] {
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

// convert parses text as a value of a property's type. Numbers keep every digit.
func convert(text string, p map[string]any) (any, bool) {
	switch kindOf(p) {
	case "integer":
		_, err := strconv.ParseInt(text, 10, 64)
		return json.Number(text), (err == nil || strings.Trim(text, "-0123456789") == "") && json.Valid([]byte(text))
	case "number":
		_, err := strconv.ParseFloat(text, 64)
		return json.Number(text), err == nil && json.Valid([]byte(text))
	case "boolean":
		b, err := strconv.ParseBool(text)
		return b, err == nil
	case "string", "":
		return text, true
	}
	return nil, false
}
