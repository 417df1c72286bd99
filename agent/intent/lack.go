package intent

import (
	"cmp"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// An Operation is an operation on a file that a request asks for.
type Operation string

// The operations.
const (
	AddToFile      Operation = "add"
	RemoveFromFile Operation = "remove"
	DeleteFile     Operation = "delete"
	MoveFile       Operation = "move"
	CopyFile       Operation = "copy"
)

// A Lack is an operation that no tool supports. Tools with the same words do something else: they
// replace the text of the file, or they do not work on files.
type Lack struct {
	Operation Operation
	File      string // as in the request; empty if the request mentions none
	Replaces  *Tool  // writes the whole file; nil if no tool does
}

// permitted removes the tools that a request to change a file must not get. If none of the others
// matches, lack is the operation that no tool supports.
func (x *index) permitted(r *request, all []scored) (kept []scored, lack *Lack) {
	if file, adding := r.addsTo(); adding {
		return x.permittedToAdd(r, all, file)
	}
	file := r.file()
	if file == "" || r.question && !r.asksAbility {
		return all, nil
	}
	if r.removesFrom() {
		return slices.DeleteFunc(slices.Clone(all), func(s scored) bool { return s.changes && !s.exact && x.deletesWhole(r, s.document) }), &Lack{Operation: RemoveFromFile, File: file}
	}
	operation := x.operationOf(r.verb)
	if operation == "" {
		return all, nil
	}
	kept = slices.DeleteFunc(slices.Clone(all), func(s scored) bool { return s.changes && !s.exact && x.concernsOther(r, s.document, string(operation)) })
	if len(kept) == len(all) {
		return all, nil
	}
	return kept, &Lack{Operation: operation, File: file}
}

// permittedToAdd removes the tools that replace a file, and those that do not accept one.
func (x *index) permittedToAdd(r *request, all []scored, file string) (kept []scored, lack *Lack) {
	lack = &Lack{Operation: AddToFile, File: file}
	paths := 0
	for _, e := range r.entities {
		if e.kind == path && isFile(e.text) {
			paths++
		}
	}
	for _, s := range all {
		takes := s.takesFileName() && !s.takesRepo()
		switch {
		case !s.changes && (s.given || s.exact), s.appends() && (paths > 1 || takes && file == ""):
			kept = append(kept, s)
		case s.appends() && isArgument(x.fill(r, s.document), file):
			if takes && x.missingCount(r, s) == 0 { // regardless of its name
				s.total, s.verb = max(s.total, 0.85), true
			}
			kept = append(kept, s)
		case lack.Replaces == nil && s.changes && s.takesFileName() && required(s.document, roleText)+required(s.document, roleValue)+required(s.document, roleFree) > 0:
			lack.Replaces = s.tool
		}
	}
	slices.SortStableFunc(kept, func(a, b scored) int { return cmp.Compare(b.total, a.total) })
	return kept, lack
}

// isArgument reports whether the value of an argument is the file.
func isArgument(args map[string]any, file string) bool {
	for _, v := range args {
		if s, ok := v.(string); ok && (s == file || strings.HasSuffix(s, "/"+file)) {
			return true
		}
	}
	return false
}

// file returns the first file that the request mentions, or "".
func (r *request) file() string {
	for _, e := range r.entities {
		if (e.kind == path || e.kind == quoted && !strings.Contains(e.text, "\n")) && isFile(e.text) {
			return e.text
		}
	}
	return ""
}

// operationOf returns the operation that a verb means, or "".
func (x *index) operationOf(verb string) Operation {
	for _, operation := range []Operation{DeleteFile, MoveFile, CopyFile} {
		if slices.Contains(x.concepts(verb), string(operation)) {
			return operation
		}
	}
	return ""
}

// concernsOther reports whether a tool has the verb of a request about a file, but applies it to
// something that the request does not mention, such as a page or an artifact.
func (x *index) concernsOther(r *request, d *document, concept string) bool {
	about := func(w string) bool {
		return slices.ContainsFunc(x.concepts(w), func(c string) bool { return c == "file" || c == "directory" }) || w == "path" || w == "item"
	}
	objects := slices.DeleteFunc(slices.Clone(d.name), func(w string) bool { return slices.Contains(x.concepts(w), concept) })
	for w := range d.lead {
		if about(w) {
			return false
		}
	}
	if len(objects) == 0 {
		return !d.takesFileName()
	}
	return !slices.ContainsFunc(objects, func(n string) bool {
		return about(n) || slices.ContainsFunc(r.words, func(w string) bool { return x.similarity(w, n) >= 0.6 })
	})
}

// removing matches an order to remove a part of a file: "remove butter from list.txt".
var removing = lazyregexp.New(`(?i)^(?:remove|delete|erase|drop|cut|clear|take|strip)\s+(?:\S.*?)\s+(?:from|in|out of|inside)\s+(?:(?:the|my|our|this|that)\s+)?(?:(?:\w+\s+)?(?:file|note|list|document|log)\s+)?(?:called\s+|named\s+)?["'“‘` + "`" + `]?$`)

// removesFrom reports whether the request asks to remove a part of a file that it mentions.
func (r *request) removesFrom() bool {
	n := 0
	for _, e := range r.entities {
		if e.kind != path && e.kind != quoted || !isFile(e.text) {
			continue
		}
		if n++; n > 1 {
			return false
		}
		if !r.matches(removing, r.text[:e.from]) {
			return false
		}
	}
	return n == 1
}

// deletesWhole reports whether a tool deletes whole files.
func (x *index) deletesWhole(r *request, d *document) bool {
	return d.takesFileName() && len(d.required) < 2 && slices.ContainsFunc(d.verbs(), func(w string) bool { return slices.Contains(x.concepts(w), "delete") }) &&
		!slices.ContainsFunc(d.name, func(n string) bool { return n != r.verb && slices.Contains(r.words, n) }) // the artifacts of main.go
}
