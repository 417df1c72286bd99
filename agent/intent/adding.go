package intent

import (
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// A request to add text to a file must not lose the text that is already there. A tool that writes
// a whole file replaces that text, so such a request never gets this tool, not even as a choice.

var (
	// addVerbs lists the verbs of requests to add something.
	addVerbs = set(strings.Join(words("add append prepend insert include put"), " "))
	// toEnd matches words that turn any request to write into one to add.
	toEnd = lazyregexp.New(`(?i)\b(?:to|at|on|onto|into) the (?:very )?(?:end|bottom|beginning|start|top) of\b`)
	// intoExisting matches the words between the added text and the path of the file.
	intoExisting = lazyregexp.New(`(?i)\b(?:to|into|onto|in|on|inside|(?:end|bottom|beginning|start|top) of)\s+(?:(?:the|my|our|your|this|that|an?|existing|same|new)\s+)*(?:(?:\w+\s+)?(?:file|note|list|document|log|text)\s+)?(?:called\s+|named\s+)?["'“‘` + "`" + `]?$`)
	// namesNew and namesSome match the words before the path of a file that the request creates:
	// "put it in a file" and "add it to a new file" create one.
	namesNew  = lazyregexp.New(`(?i)\bnew\b`)
	namesSome = lazyregexp.New(`(?i)\b(?:a|an|new)\s+(?:\w+\s+)?(?:file|note|list|document|log|text)\s`)
	// definite matches a file that the request mentions without its extension.
	definite = lazyregexp.New(`(?i)\b(?:to|into|onto)\s+(?:the|my|our|this|that)\s+(?:existing\s+)?(?:text\s+)?(?:file|document)\b`)

	adds     = lazyregexp.New(`(?i)\b(?:append|prepend|insert|add)(?:s|ed|ing)?\b|\b(?:to|at) the end\b`)
	replaces = lazyregexp.New(`(?i)\b(?:overwr\w+|replac\w+|rewr\w+|truncat\w+|creat\w+|saves?|writes?)\b`)
	// otherwise matches the parts of a description that deny something, or refer to another tool.
	otherwise = lazyregexp.New(`(?i)\b(?:without|never|not|n't|no|instead of|rather than)\s+\w+(?:ing|s|e)?\b|\buse\s+\S+\s+(?:to|for)\b[^.]*`)
	appending = set("append a+ add prepend insert")
)

// addsTo reports whether the request adds text to an existing file. It returns the path of the
// file, or "" if the request mentions none.
func (r *request) addsTo() (file string, adding bool) {
	if r.question && !r.asksAbility {
		return "", false
	}
	adder := addVerbs[r.verb] || len(r.said) > 0 && addVerbs[stem(r.said[0])]
	if !adder && !r.matches(toEnd, r.text) {
		return "", false
	}
	for i, e := range slices.Backward(r.entities) {
		before := r.text[:e.from]
		if e.kind != path && e.kind != quoted || !isFile(e.text) || strings.HasSuffix(e.text, ".") || i == 0 && strings.TrimSpace(before) == "" || !intoExisting.MatchString(before) {
			continue
		}
		link := before[intoExisting.FindStringIndex(before)[0]:]
		if namesNew.MatchString(link) || namesSome.MatchString(link) && r.verb == "put" {
			return "", false
		}
		return e.text, true
	}
	return "", r.matches(definite, r.text)
}

// appends reports whether the words of a tool or one of its arguments show that it can append to a
// file.
func (d *document) appends() bool {
	own := Words(d.tool.Own)
	for i, w := range own {
		switch {
		case appending[w] && w != "add":
			return true
		case w == "add" && !(i+1 < len(own) && slices.Contains([]string{"file", "document"}, own[i+1])):
			return true
		}
	}
	for name := range d.properties {
		if d.appendValue(name) != nil {
			return true
		}
	}
	about := otherwise.ReplaceAllString(d.tool.Title+". "+d.description, " ")
	return adds.MatchString(about) && !replaces.MatchString(about)
}

// appendValue returns the value of an argument that makes the tool append, or nil if there is none.
func (d *document) appendValue(name string) any {
	p := d.properties[name]
	if kindOf(p) == "boolean" && slices.ContainsFunc(Words(name), func(w string) bool { return w == "append" }) {
		return true
	}
	values, _ := p["enum"].([]any)
	for _, v := range values {
		if s, ok := v.(string); ok && (appending[strings.ToLower(s)] || slices.Contains(Words(s), "append")) {
			return s
		}
	}
	return nil
}

// fillAppending sets the argument that makes a tool append, if the request adds to a file.
func fillAppending(f *filling) {
	for _, name := range f.order {
		if v := f.appendValue(name); v != nil && f.args[name] == nil {
			if _, adding := f.addsTo(); adding {
				f.args[name] = v
			}
			return
		}
	}
}

// takesFileName reports whether an argument is the path or the name of one file.
func (d *document) takesFileName() bool {
	return slices.ContainsFunc(d.order, func(name string) bool {
		return slices.Contains([]role{rolePath, roleName, roleTarget}, d.roleOf(name)) && kindOf(d.properties[name]) == "string"
	})
}
