// Package intent finds the tool and the arguments for a request in plain language, without a model.
//
// It compares the words of the request with the names, titles, descriptions and schemas of the
// tools. The comparison uses stems, groups of synonyms, and the rarity of words. It also compares
// the entities in the request, such as paths, URLs and numbers, with the arguments of the tools. It
// chooses a tool that changes something only if the request orders the change.
//
// The package is pure: it must not depend on models, servers or the window.
package intent

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// A Tool is one of the tools that a request can ask for.
type Tool struct {
	Name        string // unique
	Server      string
	Own         string // the server's name for it
	Title       string
	Description string
	Schema      map[string]any // JSON Schema of the arguments
	// Effect is what the server declares about the tool. If it is Unknown, the tool's words decide.
	Effect Effect
}

// An Effect is whether a tool changes something.
type Effect int

// The effects.
const (
	Unknown Effect = iota
	Reads
	Changes
)

// A Plan is the answer to a request. If nothing matches, it has neither a tool nor options.
type Plan struct {
	Tool    *Tool // the tool that matches; nil if none or several match
	Args    map[string]any
	Options []Option // two or three tools that may match, best first
	Rest    string   // the part of the request that the plan does not cover
	Lack    *Lack    // why tools with the words of the request do not match; nil if there are none
	reads   bool     // Tool changes nothing
}

// An Option is a tool that may match.
type Option struct {
	Tool *Tool
	Args map[string]any
}

// An index is a search index over the words of a set of tools.
type index struct {
	tools []*document
	rare  map[string]float64 // weight of a stem
	known map[string][]string
	names map[string]bool // stems of the names and titles of tools
	seen  string          // earlier results, which may list files
}

// A document contains the words of one tool.
type document struct {
	tool        *Tool
	name        []string // stems of its own name, in order
	title       map[string]bool
	server      map[string]bool // stems of its server's name
	lead        map[string]bool // stems of the first sentence of the description
	rest        map[string]bool
	arguments   map[string]bool // stems of the names and values of its arguments
	properties  map[string]map[string]any
	required    []string
	description string
	roles       map[string]role
	order       []string // names of its arguments: the required ones first
	doing       []string // see verbs
}

// Find finds the tool for a request without calling it. If a request asks to read something and
// then to do something else, the plan covers only the first part. seen contains earlier results,
// which may list file names.
func Find(request string, tools []Tool, seen ...string) Plan {
	x := newIndex(tools)
	x.seen = strings.Join(seen, "\n")
	if at := andThen.FindStringIndex(request); at != nil && !strings.ContainsAny(request, "\"'“‘`{\n") {
		if p := x.find(request[:at[0]]); p.Tool != nil && p.reads {
			p.Rest = request[at[1]:]
			return p
		}
	}
	return x.find(request)
}

// andThen matches the words between two orders.
var andThen = lazyregexp.New(`(?i)(?:,? and then|[,;.] then)\s+`)

// Later returns a sentence about the part of the request that the plan does not cover, or "" if the
// plan covers everything.
func (p Plan) Later() string {
	if p.Rest == "" {
		return ""
	}
	return fmt.Sprintf(". Without a model I do one thing at a time. After this, ask me to “%s”.", p.Rest)
}

func (x *index) find(request string) Plan {
	r := x.read(request)
	return x.decide(r, x.rank(r))
}

// rank scores the tools for a request and returns them best first. It omits tools that do not
// match.
func (x *index) rank(r *request) []scored {
	if len(r.words) == 0 && len(r.entities) == 0 {
		return nil
	}
	var all []scored
	for _, d := range x.tools {
		if s := x.score(r, d); s.total > 0 {
			all = append(all, s)
		}
	}
	if slices.ContainsFunc(all, func(s scored) bool { return !s.guessed && s.verb && s.total >= minOptionScore }) {
		all = slices.DeleteFunc(all, func(s scored) bool { return s.guessed })
	}
	rivals := slices.Clone(all)
	all = slices.DeleteFunc(all, func(s scored) bool {
		return !s.exact && slices.ContainsFunc(rivals, func(o scored) bool { return o.replaces(s.document) && o.total >= 0.9*s.total })
	})
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.total, a.total) })
	return all
}

// replaces reports whether the description of an old tool declares it deprecated and mentions this
// tool.
func (d *document) replaces(old *document) bool {
	if d == old || d.tool.Server != old.tool.Server {
		return false
	}
	about := strings.ToLower(old.description)
	return strings.Contains(about, "deprecated") && slices.Contains(strings.FieldsFunc(about, func(r rune) bool { return r == ' ' || r == '.' || r == ',' || r == '`' || r == '"' }), strings.ToLower(d.tool.Own))
}

// These scores decide whether a tool matches or may match.
const (
	minScore         = 1.0
	minSafeScore     = 0.66 // enough for a tool that changes nothing, lacks no argument and has no rival
	minOptionScore   = 0.62
	changeLeadFactor = 1.15 // the same factor between two tools that change something
	leadFactor       = 1.12 // a tool is chosen if its score is this many times the next one's
)

// decide chooses among the scored tools. all is sorted best first.
func (x *index) decide(r *request, all []scored) Plan {
	all, lack := x.permitted(r, all)
	var sure []scored
	for _, s := range all {
		if s.total >= minScore && (!s.changes || s.asked) {
			sure = append(sure, s)
		}
	}
	if len(sure) > 0 && (all[0].total < 1.3*sure[0].total || sure[0].exact) {
		near := sure[:1]
		for _, s := range sure[1:] {
			margin := leadFactor
			if s.changes && sure[0].changes {
				margin = changeLeadFactor
			}
			if s.exact == sure[0].exact && s.total*margin > sure[0].total {
				near = append(near, s)
			}
		}
		// If several tools have the same words, those that lack fewer arguments come first.
		slices.SortStableFunc(near, func(a, b scored) int { return cmp.Compare(x.missingCount(r, a), x.missingCount(r, b)) })
		if len(near) == 1 || x.missingCount(r, near[0]) < x.missingCount(r, near[1]) || !near[0].changes && near[0].total > 1.005*near[1].total || near[0].total > 1.08*near[1].total && !near[1].changes {
			return Plan{Tool: near[0].tool, Args: x.fill(r, near[0].document), reads: !near[0].changes}
		}
	}
	if len(sure) == 0 && len(all) > 0 {
		first := all[0]
		if alone := !slices.ContainsFunc(all[1:], func(s scored) bool {
			return 1.25*s.total >= first.total && (!first.given || s.total > 0.95*first.total || x.missingCount(r, s) == 0)
		}); alone && first.total >= minSafeScore && first.verb && !first.changes && x.missingCount(r, first) == 0 {
			return Plan{Tool: first.tool, Args: x.fill(r, first.document), reads: true}
		}
	}
	var options []Option
	for _, s := range all {
		if s.changes && !s.exact && viewVerbs[r.verb] && !x.nameHasVerb(s.document, r.verb) {
			continue
		}
		if s.total >= minOptionScore && s.total >= 0.7*all[0].total && s.verb && len(options) < 3 {
			options = append(options, Option{s.tool, x.fill(r, s.document)})
		}
	}
	if len(options) == 0 {
		return Plan{Lack: lack}
	}
	return Plan{Options: options}
}

// viewVerbs lists the verbs of requests to see something. Such a request never gets a tool that
// changes something, not even as a choice.
var viewVerbs = set(strings.Join(words("show read open view print display list see look find get give tell"), " "))

// nameHasVerb reports whether the name of a tool contains a verb or a synonym of it.
func (x *index) nameHasVerb(d *document, verb string) bool {
	return slices.ContainsFunc(d.name, func(n string) bool { return x.similarity(verb, n) >= 0.7 })
}

// missingCount returns the number of required arguments that the request does not provide.
func (x *index) missingCount(r *request, s scored) int {
	args := x.fill(r, s.document)
	n := 0
	for _, name := range s.required {
		if _, ok := args[name]; !ok {
			n++
		}
	}
	return n
}

func newIndex(tools []Tool) *index {
	x := &index{rare: make(map[string]float64), known: make(map[string][]string), names: make(map[string]bool)}
	count := make(map[string]int)
	for i := range tools {
		d := newDocument(&tools[i])
		x.tools = append(x.tools, d)
		maps.Copy(x.names, toSet(d.name))
		maps.Copy(x.names, d.title)
		seen := make(map[string]bool)
		for _, m := range []map[string]bool{toSet(d.name), d.title, d.lead, d.rest, d.arguments} {
			maps.Copy(seen, m)
		}
		for w := range seen {
			count[w]++
		}
	}
	for w, n := range count {
		x.rare[w] = math.Log(1+(float64(len(tools))-float64(n)+0.5)/(float64(n)+0.5)) / math.Log(2+float64(len(tools)))
	}
	return x
}

func toSet(all []string) map[string]bool {
	m := make(map[string]bool, len(all))
	for _, w := range all {
		m[w] = true
	}
	return m
}

func newDocument(t *Tool) *document {
	d := &document{tool: t, description: t.Description, arguments: make(map[string]bool), properties: make(map[string]map[string]any)}
	server := toSet(Words(t.Server))
	for _, w := range Words(t.Own) {
		if !stopWords[w] && (!server[w] || len(Words(t.Own)) == 1) {
			d.name = append(d.name, stem(w))
		}
	}
	if !slices.ContainsFunc(d.name, func(n string) bool { return !genericVerbs[n] }) { // find_recipes of a server called recipes
		d.name = nil
		for _, w := range Words(t.Own) {
			if !stopWords[w] {
				d.name = append(d.name, stem(w))
			}
		}
	}
	lead, rest, _ := strings.Cut(strings.ReplaceAll(t.Description, "\n", ". "), ". ")
	d.server = stems(t.Server)
	d.title, d.lead, d.rest = stems(t.Title), stems(lead), stems(rest)
	properties, _ := t.Schema["properties"].(map[string]any)
	required, _ := t.Schema["required"].([]any)
	names := slices.Sorted(maps.Keys(properties))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(position(required, a), position(required, b)) })
	for _, name := range names[:min(len(names), maxArguments)] {
		p := properties[name]
		d.properties[name], _ = p.(map[string]any)
		for w := range stems(name) {
			d.arguments[w] = true
		}
		values, _ := d.properties[name]["enum"].([]any)
		for _, v := range values {
			if s, ok := v.(string); ok {
				maps.Copy(d.arguments, stems(s))
			}
		}
	}
	for _, n := range required[:min(len(required), maxArguments)] {
		if name, ok := n.(string); ok && d.properties[name] != nil {
			d.required = append(d.required, name)
		}
	}
	d.roles = make(map[string]role, len(d.properties))
	d.order = slices.Clone(d.required)
	for _, name := range names[:min(len(names), maxArguments)] {
		d.roles[name] = d.computeRole(name)
		if !slices.Contains(d.required, name) {
			d.order = append(d.order, name)
		}
	}
	return d
}

// maxArguments limits the arguments of a tool that a request may fill.
const maxArguments = 100

// position returns the index of an argument among the required ones, or maxArguments for an
// optional argument.
func position(required []any, name string) int {
	if i := slices.Index(required[:min(len(required), maxArguments)], any(name)); i >= 0 {
		return i
	}
	return maxArguments
}

func stems(text string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range Words(text) {
		if !stopWords[w] {
			m[stem(w)] = true
		}
	}
	return m
}

func (x *index) concepts(stemmed string) []string {
	if c, ok := x.known[stemmed]; ok {
		return c
	}
	c := conceptsOf(stemmed)
	x.known[stemmed] = c
	return c
}
