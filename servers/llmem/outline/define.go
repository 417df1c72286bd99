package outline

import (
	"slices"
	"strings"
)

// define adds the symbol of a node with a name, and visits the node's children.
func (x *extractor) define(n int, s scope, r rule) {
	if name := x.child(n, "name"); name != 0 {
		x.defineAs(n, x.text(name), s, r)
		return
	}
	x.children(n, s.inside())
}

// defineAs adds a symbol with the given name and visits the node's children.
func (x *extractor) defineAs(n int, name string, s scope, r rule) {
	name = strings.Join(strings.Fields(name), " ")
	x.add(n, name, s, r)
	x.children(n, x.within(name, s, r))
}

// within returns the scope for the children of a definition.
func (x *extractor) within(name string, s scope, r rule) scope {
	below := s.inside()
	if r.opens != plain {
		below.parent, below.kind = join(s.parent, name), r.opens
		below.local = s.local || r.opens == inFunc
	}
	return below
}

// add adds the symbol of a node.
func (x *extractor) add(n int, name string, s scope, r rule) {
	if name == "" || r.kind == "" {
		return
	}
	kind := r.kind
	if s.kind == inClass && r.member != "" {
		kind = r.member
	}
	node := x.nodes[n]
	start, end := node.Start, node.End
	if s.hasFrom {
		start = s.from
	}
	if x.end != nil {
		end = x.end(x, n)
	}
	doc := uncomment(s.doc)
	if x.docs != nil {
		if own := x.docs(x, n); own != "" {
			doc = own
		}
	}
	x.file.Symbols = append(x.file.Symbols, Symbol{
		Name: cut(name, 200), Kind: kind, Parent: cut(s.parent, 400), Local: s.local,
		Signature: signatureLine(x.signature(n)), Doc: paragraph(doc),
		StartLine: x.line(start), EndLine: x.lastLine(end),
	})
}

// signature returns the text of a definition up to its body, without comments.
func (x *extractor) signature(n int) string {
	start, end := x.nodes[n].Start, x.nodes[n].End
	inner := n
	if v := x.child(n, "value"); v != 0 {
		inner = v
	}
	body := 0
	for _, name := range []string{"body", "accessors"} {
		if b := x.child(inner, name); b != 0 && body == 0 {
			body = b
		}
	}
	if body == 0 {
		body = x.find(n, "class_body", "enum_class_body", "function_body", "enum_body")
	}
	if body != 0 {
		end = x.nodes[body].Start
	}
	end = min(end, start+4*maxSignature)
	var b strings.Builder
	for c := n + 1; c < int(x.nodes[n].Next) && x.nodes[c].Start < end; c++ {
		if x.classOf(c)&isComment != 0 && x.nodes[c].Start >= start {
			b.Write(x.src[start:x.nodes[c].Start])
			start = min(x.nodes[c].End, end)
		}
	}
	b.Write(x.src[start:end])
	text := strings.TrimSpace(b.String())
	if body == 0 {
		text, _, _ = strings.Cut(text, "\n")
	}
	return text
}

// before reports whether a definition contains a word before one of its children.
func (x *extractor) before(n, child int, word string) bool {
	return slices.Contains(strings.Fields(string(x.src[x.nodes[n].Start:x.nodes[child].Start])), word)
}

func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

// importing adds an import.
func (x *extractor) importing(n int, source string, names ...string) {
	source = strings.Trim(strings.TrimSpace(source), "\"'`<>")
	if source != "" {
		x.file.Imports = append(x.file.Imports, Import{Source: cut(source, 300), Names: names, Line: x.line(x.nodes[n].Start)})
	}
}

// usedPaths writes the text of a node of a use declaration in Rust without local names and comments. A
// file imports the same modules without them.
func (x *extractor) usedPaths(n int, b *strings.Builder) {
	if x.depth > maxDepth || x.classOf(n)&isComment != 0 {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	if path := x.child(n, "path"); path != 0 && x.kindOf(n) == "use_as_clause" {
		n = path
	}
	at := x.nodes[n].Start
	for c := n + 1; c < int(x.nodes[n].Next); c = int(x.nodes[c].Next) {
		b.Write(x.src[at:x.nodes[c].Start])
		x.usedPaths(c, b)
		at = x.nodes[c].End
	}
	b.Write(x.src[at:x.nodes[n].End])
}
