package outline

import (
	"context"
	"slices"
	"sort"
	"sync"

	"goated/servers/llmem/outline/grammar"
)

// maxDepth bounds how deep the extractor follows a tree. Deeper nodes have no symbols.
const maxDepth = 5000

// A rule defines which symbol a node defines.
type rule struct {
	kind   string // of the symbol; empty defines none
	member string // the kind inside a class, if it differs
	opens  scopeKind
	custom func(x *extractor, n int, s scope, r rule) // replaces define and children; may be nil
}

type scopeKind int

const (
	plain     scopeKind = iota
	inClass             // children are members
	inFunc              // children are local
	inPackage           // children have a parent, but are not members
)

// A languageSpec contains the extraction rules for the trees of a language.
type languageSpec struct {
	rules    map[string]rule // by node type
	comments []string
	idents   []string                         // types of nodes that mention a name
	wraps    []string                         // types of nodes that wrap a definition and have its comment above them
	starts   []string                         // the wraps that count as part of the definition's lines
	leads    []string                         // siblings between a comment and its definition, such as attributes
	leading  bool                             // the leads count as part of the definition's lines
	docs     func(x *extractor, n int) string // the comment inside a definition; may be nil
	end      func(x *extractor, n int) uint32 // the end of a definition; nil means the end of the node
}

// Classes of a grammar's symbols.
const (
	isComment = 1 << iota
	isIdent
	wraps
	starts
	leads
)

// A spec is a languageSpec with the symbol numbers of a grammar.
type spec struct {
	*languageSpec
	names *grammar.Language
	rule  []*rule
	class []uint8
	field map[string]uint16
}

// specs caches the spec of each language. The zero value is empty.
type specs struct {
	mu     sync.Mutex
	byName map[string]*spec
}

func (c *specs) get(names *grammar.Language) *spec {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.byName[names.Name]; s != nil {
		return s
	}
	l := languageFor(names.Name)
	s := &spec{languageSpec: l, names: names, rule: make([]*rule, len(names.Symbols)), class: make([]uint8, len(names.Symbols)), field: make(map[string]uint16)}
	for i, f := range names.Fields {
		s.field[f] = uint16(i)
	}
	for i, name := range names.Symbols {
		if r, ok := l.rules[name]; ok {
			s.rule[i] = &r
		}
		for _, c := range []struct {
			in  []string
			bit uint8
		}{{l.comments, isComment}, {l.idents, isIdent}, {l.wraps, wraps}, {l.starts, starts}, {l.leads, leads}} {
			if slices.Contains(c.in, name) {
				s.class[i] |= c.bit
			}
		}
	}
	if c.byName == nil {
		c.byName = make(map[string]*spec)
	}
	c.byName[names.Name] = s
	return s
}

func (p *Parser) parseGrammar(ctx context.Context, language string, source []byte) (*File, error) {
	source = named(language, source)
	nodes, names, err := p.grammars.Parse(ctx, language, source, p.maxTime)
	if err != nil {
		return nil, err
	}
	x := &extractor{
		spec: p.specs.get(names), src: source, nodes: nodes,
		file: &File{Language: language, Lines: CountLines(source), Refs: make(map[string]int)},
		seen: make(map[string]bool),
	}
	x.starts = append(x.starts, 0)
	for i, c := range source {
		if c == '\n' {
			x.starts = append(x.starts, i+1)
		}
	}
	if len(nodes) > 0 {
		x.children(0, scope{})
	}
	nameless(x.file.Symbols)
	sort.SliceStable(x.file.Symbols, func(a, b int) bool { return x.file.Symbols[a].StartLine < x.file.Symbols[b].StartLine })
	return x.file, nil
}

// An extractor extracts the symbols from one tree.
type extractor struct {
	*spec
	src    []byte
	nodes  []grammar.Node
	starts []int // offsets at which the lines start
	file   *File
	seen   map[string]bool // variables that already have a symbol, including their parents
	depth  int
}

// A scope holds what a node inherits from its ancestors.
type scope struct {
	parent  string // enclosing names, joined by dots
	kind    scopeKind
	local   bool
	doc     string // the comment above
	wrapper int    // the outermost node that wraps a definition; 0 if there is none
	from    uint32 // the start of the wrapper or the leads, if they count as part of the lines
	hasFrom bool
}

func (x *extractor) kindOf(n int) string {
	if s := int(x.nodes[n].Symbol); s < len(x.names.Symbols) {
		return x.names.Symbols[s]
	}
	return "ERROR"
}

func (x *extractor) classOf(n int) uint8 {
	if s := int(x.nodes[n].Symbol); s < len(x.class) {
		return x.class[s]
	}
	x.file.Errors = true
	return 0
}

func (x *extractor) text(n int) string {
	return string(x.src[x.nodes[n].Start:x.nodes[n].End])
}

// line returns the line number of an offset.
func (x *extractor) line(at uint32) int {
	return sort.SearchInts(x.starts, int(at)+1)
}

// lastLine returns the line of the last character before an offset, ignoring line endings.
func (x *extractor) lastLine(end uint32) int {
	for end > 0 && (x.src[end-1] == '\n' || x.src[end-1] == '\r') {
		end--
	}
	return x.line(max(end, 1) - 1)
}

// child returns the child of n in a field, or 0 if there is none.
func (x *extractor) child(n int, field string) int {
	f := x.field[field]
	if f == 0 {
		return 0
	}
	for c := n + 1; c < int(x.nodes[n].Next); c = int(x.nodes[c].Next) {
		if x.nodes[c].Field == f {
			return c
		}
	}
	return 0
}

// find returns the first child of n that has one of the types, or 0 if there is none.
func (x *extractor) find(n int, kinds ...string) int {
	for c := n + 1; c < int(x.nodes[n].Next); c = int(x.nodes[c].Next) {
		if slices.Contains(kinds, x.kindOf(c)) {
			return c
		}
	}
	return 0
}

// children visits the children of n, and passes each the comment above it.
func (x *extractor) children(n int, s scope) {
	if x.depth > maxDepth {
		return
	}
	x.depth++
	defer func() { x.depth-- }()
	from, to, lead, last := -1, -1, -1, -1 // the comment, the first lead, and the end of the previous sibling
	for c := n + 1; c < int(x.nodes[n].Next); c = int(x.nodes[c].Next) {
		node, class := x.nodes[c], x.classOf(c)
		if class&(isComment|leads) == 0 && x.nodes[c].Next == int32(c+1) && x.ruleOf(c) == nil {
			if class&isIdent != 0 { // most nodes are leaves
				x.mention(c)
			}
			from, to, lead, last = -1, -1, -1, int(node.End)
			continue
		}
		if class&isComment != 0 {
			switch {
			case last >= 0 && x.line(uint32(last)) == x.line(node.Start): // belongs to the previous sibling
			case from >= 0 && lead < 0 && x.line(node.Start) <= x.lastLine(uint32(to))+1:
				to = int(node.End)
			case lead >= 0: // between attributes
			default:
				from, to = int(node.Start), int(node.End)
			}
			continue
		}
		if class&leads != 0 {
			if lead < 0 {
				lead = int(node.Start)
				if from >= 0 && x.lastLine(uint32(to))+1 < x.line(node.Start) {
					from = -1
				}
			}
			x.children(c, scope{})
			last = int(node.End)
			continue
		}
		below := s
		if below.doc == "" && from >= 0 && (lead >= 0 || x.lastLine(uint32(to))+1 >= x.line(node.Start)) {
			below.doc = string(x.src[from:min(to, from+4*maxDoc)])
		}
		if lead >= 0 && x.leading {
			below.from, below.hasFrom = uint32(lead), true
		}
		before := len(x.file.Symbols)
		x.visit(c, below)
		if len(x.file.Symbols) > before {
			s.doc = "" // it belongs to the first definition
		}
		from, to, lead, last = -1, -1, -1, int(node.End)
	}
}

func (x *extractor) ruleOf(n int) *rule {
	if s := int(x.nodes[n].Symbol); s < len(x.rule) {
		return x.rule[s]
	}
	return nil
}

func (x *extractor) mention(n int) {
	if node := x.nodes[n]; node.End-node.Start <= 100 {
		x.file.Refs[string(x.src[node.Start:node.End])]++
	}
}

func (x *extractor) visit(n int, s scope) {
	class := x.classOf(n)
	if class&isIdent != 0 {
		x.mention(n)
	}
	r := x.ruleOf(n)
	switch {
	case r != nil && r.custom != nil:
		r.custom(x, n, s, *r)
	case r != nil:
		x.define(n, s, *r)
	case class&wraps != 0:
		if s.wrapper == 0 {
			s.wrapper = n
		}
		if class&starts != 0 && !s.hasFrom {
			s.from, s.hasFrom = x.nodes[n].Start, true
		}
		x.children(n, s)
	default:
		x.children(n, s.inside())
	}
}

// inside returns the scope for children that are not the definition itself.
func (s scope) inside() scope {
	s.doc, s.wrapper, s.from, s.hasFrom = "", 0, 0, false
	return s
}
