package intent

import (
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// These patterns match requests that contain several arguments.
var (
	assigned      = lazyregexp.New(`(?:^|[\s(,])([A-Za-z_]\w*)\s*(?:=|: )\s*("[^"]*"|'[^']*'|[^\s,)]+)`)
	entitled      = lazyregexp.New(`(?is)\b(?:called|named|titled)\s+(?:"[^"]+"|'[^']+'|\S+?)(?:,?\s+(?:with|and put|that has)\s+|:\s+)(.+)$`)
	opposed       = lazyregexp.New(`(?i)\b(?:against|versus|vs\.?|compared (?:to|with)|compare\s+\S+\s+(?:to|with|and))\s+(?:the\s+)?(?:branch\s+|commit\s+)?([\w./-]+)`)
	derived       = lazyregexp.New(`(?i)\b(?:from|off|based on|on top of)\s+(?:the\s+)?(?:branch\s+)?([\w./-]+)`)
	joined        = lazyregexp.New(`\s*(?:,|\band\b)\s*`)
	afterColon    = lazyregexp.New(`(?s)\w:\s+(\S.*)$`)
	notes         = lazyregexp.New(`(?is)^[^:"]*\b(?:note|message|reminder|memo|list)\b[^:"]*:\s`)
	onDesktop     = lazyregexp.New(`(?i)\s+(?:on|onto|to) (?:my|the) desktop[.!]*$`)
	symbol        = lazyregexp.New(`\b(?:[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|\w+\(\)|\w+::\w+)`)
	contained     = lazyregexp.New(`(?is)\b(?:saying|that says|which says|that reads|with (?:the )?(?:text|contents?|message|words?|body|comment)|containing|reading|message:|content:|text:)(?: that)?:?\s+(.+)$`)
	naming        = lazyregexp.New(`(?i)\b(?:called|named|titled|name it|call it)\s+("[^"]+"|'[^']+'|\S+)`)
	intoFile      = lazyregexp.New(`(?is)^(?:write|save|put|append|add|store|dump|prepend|insert|include)\s+(?:the (?:text|words?|line|sentence|message)\s+)?(.+?)\s+(?:to|into|in|on|onto|at)\s+(?:(?:the )?(?:end|bottom|top|beginning|start) of\s+)?(?:a |an |the |my |our )?(?:new )?(?:file |note )?(?:called |named )?$`)
	replacing     = lazyregexp.New(`(?is)\b(?:replace|change|substitute|swap|edit|turn)\s+(?:all |every |the (?:word|text) )?(.+?)\s+(?:with|by|to|for|into)\s+(.+?)(?:\s+(?:in|inside|within)\s.*)?$`)
	moving        = lazyregexp.New(`(?is)\b(?:move|rename|mv|copy|cp|relocate|transfer)\s+(?:the )?(?:file |folder |directory )?("[^"]+"|'[^']+'|\S+)\s+(?:to|into|as|->|=>)\s+(?:the )?(?:folder |directory )?("[^"]+"|'[^']+'|\S+)`)
	between       = lazyregexp.New(`(?i)([\p{L}\d._°/-]*\p{L}[\p{L}\d._°/-]*)\s+(?:to|into|->|=>)\s+([\p{L}\d._°/-]+)`)
	following     = lazyregexp.New(`(?is)\b(?:for|about|of|matching|containing|named|called|with|on)\s+(.+)$`)
	counting      = lazyregexp.New(`(?i)\b(first|last|next|top|latest|recent|newest|most recent|past|only|at most|up to|limit|max|maximum)\s+(\d+)\b|\b(\d+)\s+(?:\w+\s+)?(?:commits?|lines?|results?|items?|entries|rows|messages|times?|characters|chars|seconds|secs|s|steps|days|images|links)\b`)
	inFolder      = lazyregexp.New(`(?i)\b(?:folder|directory|dir)\s+(?:called |named )?([\w.-]+)|\b(?:in|inside|under|of|into)\s+(?:the |my )?([\w.-]+)\s+(?:folder|directory|dir)\b|\b(?:files|folders|contents?|entries|tree)\s+(?:in|of|inside|under)\s+(?:the |my )?(?:folder |directory )?([\w.-]+)`)
	placeName     = lazyregexp.New(`\b(?:in|for|at|of|from)\s+(?:the\s+)?(\p{Lu}[\p{L}.'-]*(?:\s+\p{Lu}[\p{L}.'-]*)*)`)
	finding       = lazyregexp.New(`(?is)^(?:find|search|locate|grep|look up|search for)\s+(?:for )?(.+?)\s+(?:in|near|around|close to|next to)\s`)
	using         = lazyregexp.New(`(?is)^(?:use|call|run)\s.{1,60}?\s(?:to|with|for|on)\s+(.+)$`)
	currentFolder = lazyregexp.New(`(?i)\b(?:this|our|my|current)\s+(?:\w+\s+)?(?:folder|directory)\b|\b(?:this|the|our|my|current)\s+(?:\w+\s+)?(?:project|repo|repository|workspace|codebase)\b|\b(?:files?|what is|what's)\s.*\bhere\b|\bhere\b`)
)

// fill finds the arguments of a tool in a request. It omits arguments that the request does not
// provide.
func (x *index) fill(r *request, d *document) map[string]any { return x.filling(r, d).args }

func (x *index) filling(r *request, d *document) *filling {
	f := &filling{index: x, request: r, document: d, args: make(map[string]any), used: make([]bool, len(r.entities))}
	for i, e := range r.entities {
		if e.kind == object {
			for k, v := range decode(e.text) {
				f.args[k] = v
			}
			f.used[i] = true
		}
	}
	for _, m := range r.submatches(assigned) {
		if p, ok := d.properties[m[1]]; ok {
			if v, ok := convert(unquote(m[2]), p); ok {
				f.args[m[1]] = v
			}
		}
	}
	f.findPairs()
	f.repository()
	for _, name := range d.order {
		if _, known := f.args[name]; !known {
			if v := f.value(name, d.roleOf(name), slices.Contains(d.required, name)); v != nil {
				f.args[name] = v
			}
		}
	}
	fillAppending(f)
	f.assignRemainder()
	f.codes = codesOf(f)
	return f
}

// A filling searches for the arguments of one tool in a request.
type filling struct {
	*index
	*request
	*document
	args  map[string]any
	used  []bool // by index: whether an entity became an argument
	zoned int    // the number of time zones that became arguments

	wording
	loose    []string        // arguments that got the remaining words of the request
	feelings []string        // stems that chose a value
	acted    bool            // the verb of the request chose the action
	chosen   int             // the number of choices whose value the request mentions
	counted  []string        // stems of the things that a number counts
	codes    map[string]bool // stems of values that are codes, such as logs-2026
}

// wording holds hints about a tool in the wording of a request.
type wording struct {
	between   bool // the request contains "A to B"
	aboutFact bool // the request states a fact or asks for one
	noted     bool // a text follows its noun, as in "a note: buy milk"
	guessed   bool // the request may ask for a fact
	stated    bool // the request states a fact without an order to store it
	dotted    bool // an entity or device argument is an identifier with a dot
}

// take returns the first unused entity of a kind that accept allows, and marks it as used.
func (f *filling) take(k kind, accept func(entity) bool) string {
	for i, e := range f.entities {
		if e.kind == k && !f.used[i] && (accept == nil || accept(e)) {
			f.used[i] = true
			return e.text
		}
	}
	return ""
}

// nameWith returns the name of the first empty argument with one of the roles.
func (f *filling) nameWith(roles ...role) string {
	for _, want := range roles {
		for _, name := range f.order {
			if _, known := f.args[name]; !known && f.roleOf(name) == want {
				return name
			}
		}
	}
	return ""
}

// findPairs finds arguments that make sense only together.
func (f *filling) findPairs() {
	source, target := f.nameWith(roleSource), f.nameWith(roleTarget)
	if source != "" && target != "" {
		if m := f.submatch(moving, f.text); m != nil {
			f.args[source], f.args[target] = unquote(m[1]), unquote(strings.TrimRight(m[2], ".,!?"))
			f.markUsed(m[1], m[2])
		}
	}
	if _, done := f.args[source]; source != "" && target != "" && !done && !f.isFilePath(source) {
		if m := f.submatch(between, f.text); m != nil {
			f.args[source], f.args[target] = m[1], strings.TrimRight(m[2], ".,!?")
			f.markUsed(m[1], m[2])
			f.between = true
		}
	}
	if _, done := f.args[target]; target != "" && !done {
		findOutput(f, target)
	}
	if nested := f.nameWith(roleNested); nested != "" && kindOf(f.properties[nested]) == "array" {
		f.edit(nested)
	}
	fillSize(f)
	factFiller{f}.fill()
}

// other matches words before a path with one slash that show that it is not a repository.
var other = lazyregexp.New(`(?i)\b(?:branch|tag|file|folder|directory|path|image)(?: called| named)? $`)

// branching matches words before the name of a branch.
var branching = lazyregexp.New(`(?i)\b(?:branch|tag)(?: called| named)? $`)

// slashed matches a repository in the form owner/name.
var slashed = lazyregexp.New(`^(?:https?://[^/]+/)?([\w.-]+)/([\w.-]+)/?$`)

// repository fills the arguments for the owner and the name if the request contains owner/name.
func (f *filling) repository() {
	if _, ok := f.properties["owner"]; !ok || kindOf(f.properties["repo"]) != "string" {
		return
	}
	for i, e := range f.entities {
		if m := slashed.FindStringSubmatch(e.text); (e.kind == path || e.kind == url) && !f.used[i] && m != nil && !f.matches(other, f.text[:e.from]) {
			f.args["owner"], f.args["repo"], f.used[i] = m[1], m[2], true
			return
		}
	}
}

// isFilePath reports whether an argument is the path of a file.
func (f *filling) isFilePath(name string) bool {
	about, _ := f.properties[name]["description"].(string)
	return containsAny(strings.ToLower(name+" "+about), "path", "file", "folder", "director") || containsAny(strings.Join(f.name, " "), "file", "move", "copy", "renam")
}

// edit fills a list of replacements. Each replacement has an old and a new text.
func (f *filling) edit(name string) {
	m := f.submatch(replacing, f.text)
	items, _ := f.properties[name]["items"].(map[string]any)
	properties, _ := items["properties"].(map[string]any)
	if m == nil || len(properties) == 0 {
		return
	}
	one := make(map[string]any)
	for member := range properties {
		switch words := Words(member); {
		case slices.Contains(words, "old") || slices.Contains(words, "search") || slices.Contains(words, "find"):
			one[member] = unquote(m[1])
		case slices.Contains(words, "new") || slices.Contains(words, "replace") || slices.Contains(words, "replacement"):
			one[member] = unquote(m[2])
		}
	}
	if len(one) == 2 {
		f.markUsed(m[1], m[2])
		f.args[name] = []any{one}
	}
}

// markUsed marks the entities inside texts as used.
func (f *filling) markUsed(texts ...string) {
	for i, e := range f.entities {
		for _, text := range texts {
			if strings.Contains(text, e.text) {
				f.used[i] = true
			}
		}
	}
}
