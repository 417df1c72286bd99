package intent

import (
	"maps"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// goated calls a tool that changes something only if the request orders exactly that, now. For any
// other request, the user chooses: for a question, a statement, a negation, an exception, a condition,
// an order for a later time, a request that only mentions the name of a tool, or an order that involves
// something that the tool does not accept.

var (
	// politeWords lists the words that people put before the verb of an order.
	politeWords = set(`please now then just also kindly quickly and ok okay alright well so yes go ahead could you can would will i want to need let us s d me my
		hey hi goated again finally first next in on at for from under inside this it up`)
	// useVerbs lists the verbs that order the use of a tool by its name, such as "run".
	useVerbs = set(strings.Join(words("make do use run put take set call execute invoke perform"), " "))
	// limiting matches words that withdraw or limit an order. stateVerbs matches words that turn it
	// into a statement.
	limiting   = lazyregexp.New(`(?i)\b(?:not|never|cannot|\w+n['’]t|dont|doesnt|nobody|no one|none|without|except(?:ing)?|excluding|apart from|other than|but|besides|instead|rather than|unless|until|if|whether|whenever|as soon as|as long as|avoid|undo|pretend|imagine)\b`)
	stateVerbs = lazyregexp.New(`(?i)\b(?:is|are|was|were|has|have been|had|does|did|seems?|failed|fails|takes|took|said|says|told|hates?)\b`)
	// otherTime matches a time other than now.
	otherTime = lazyregexp.New(`(?i)\b(?:tomorrow|tonight|later|yesterday|next (?:week|month|year|\w+day)|every (?:second|minute|hour|day|night|week|month|year|morning|evening|\w+day)|(?:in|after) (?:\d+|an?|one|two|three|five|ten) (?:seconds?|minutes?|hours?|days?|weeks?|months?)|at (?:\d{1,2}(?::\d\d)? ?(?:[ap]m\b|o'clock)|\d{1,2}:\d\d|noon|midnight)|on \w+day|when|once|while|before|after)\b`)
	// saveVerbs lists the verbs of tools whose object can also be a verb, as in save_bookmark.
	saveVerbs = set(strings.Join(words("save create add send make store log"), " "))
	// relativeClause matches the words before a name or a text, as in "the file that is called x".
	relativeClause = lazyregexp.New(`(?i)\b(?:which|that) (?:is (?:called|named)|says|said|reads)\b`)
	// opposites maps a particle to the one that reverses the verb.
	opposites = map[string]string{"on": "off", "off": "on", "up": "down", "down": "up"}
	// distinctVerbs maps a verb to verbs that share a concept with it but mean another action.
	distinctVerbs = map[string]map[string]bool{
		stem("start"):  set(strings.Join(words("create make new"), " ")),
		stem("forget"): set(strings.Join(words("remember recall manage memory write store save memorize know"), " ")),
		stem("recall"): set("send post"),
	}
)

// ordersExactly reports whether the request orders exactly what the tool of f does, now.
func (x *index) ordersExactly(r *request, f *filling, exact bool) bool {
	if f.runsSQL() && !r.commandsSQL() || r.question {
		return false
	}
	if text := withoutArguments(f); r.matches(limiting, text) || r.matches(stateVerbs, text) || r.matches(otherTime, text) && !f.scheduled() {
		return false
	}
	if r.asksAbility && len(f.required) > 0 && !slices.ContainsFunc(f.required, func(name string) bool { return f.args[name] != nil && !slices.Contains(f.loose, name) }) {
		return false
	}
	own := toSet(Words(f.tool.Own))
	for word, other := range opposites {
		if own[word] && !slices.Contains(r.said, word) && slices.Contains(r.said, other) {
			return false
		}
	}
	for i, e := range f.entities { // the request mentions something that the tool does not accept
		if !f.used[i] && (e.kind == path || e.kind == glob || e.kind == url || e.kind == email) && !argumentContains(f.args, e.text) {
			return false
		}
	}
	return len(r.said) == 0 || exact && r.begins(f.tool.Own) || f.runsSQL() || r.commands()
}

// deletesSomethingElse reports whether the request asks to delete a file, but the tool deletes
// something that the request does not mention, such as a page or an artifact.
func (x *index) deletesSomethingElse(r *request, d *document) bool {
	if !slices.Contains(x.concepts(r.verb), "delete") || len(d.name) < 2 || !slices.ContainsFunc(r.of(path), func(e entity) bool { return isFile(e.text) }) {
		return false
	}
	return !slices.ContainsFunc(d.name[1:], func(n string) bool {
		return slices.ContainsFunc(x.concepts(n), func(c string) bool { return c == "file" || c == "directory" }) ||
			slices.ContainsFunc(r.words, func(w string) bool { return x.similarity(w, n) >= 0.6 })
	})
}

// begins reports whether the request begins with a name.
func (r *request) begins(name string) bool {
	return strings.HasPrefix(strings.TrimSpace(r.lower), strings.ToLower(name))
}

// commands reports whether the first meaningful word is a verb in the imperative.
func (r *request) commands() bool {
	for i, w := range r.said {
		if politeWords[w] && !(stem(w) == r.verb && !stopWords[w]) {
			continue
		}
		if stem(w) != r.verb || inflected(w) {
			return false
		}
		return i+1 >= len(r.said) || r.said[i+1] != "of" // "log of expenses"
	}
	return false
}

// inflected reports whether a verb has a suffix that the imperative does not have.
func inflected(w string) bool {
	for _, ending := range []string{"ed", "ing"} {
		if root, ok := strings.CutSuffix(w, ending); ok && len(root) > 2 && strings.ContainsAny(root, "aeiouy") && w != "embed" && w != "proceed" {
			return true
		}
	}
	return false
}

// commandsSQL reports whether the request is an SQL statement, either alone or after an order to
// run it.
func (r *request) commandsSQL() bool {
	for _, e := range r.entities {
		if e.kind == sql {
			before := strings.TrimSpace(r.text[:e.from])
			return before == "" || strings.HasSuffix(before, ":") || r.commands() && !limiting.MatchString(before) && !stateVerbs.MatchString(before)
		}
	}
	return false
}

// withoutArguments returns the request without the texts that are arguments, because those may
// contain any words.
func withoutArguments(f *filling) string {
	spans := make([]entity, 0, len(f.entities))
	for _, e := range f.entities {
		if !slices.Contains([]kind{number, clock, date}, e.kind) {
			spans = append(spans, e)
		}
	}
	for name, v := range f.args {
		s, ok := v.(string)
		if role := f.roleOf(name); !ok || len(s) < 3 || !f.aboutFact && role != roleText && role != roleValue {
			continue
		}
		if at := strings.Index(f.text, s); at >= 0 {
			spans = append(spans, entity{quoted, s, at, at + len(s)})
		}
	}
	slices.SortFunc(spans, func(a, b entity) int { return a.from - b.from })
	var text strings.Builder
	at := 0
	for _, e := range spans {
		if e.from > at {
			text.WriteString(f.text[at:e.from])
			text.WriteByte(' ')
		}
		at = max(at, e.to)
	}
	text.WriteString(f.text[min(at, len(f.text)):])
	said := relativeClause.ReplaceAllString(text.String(), " ")
	if f.aboutFact {
		said = stateVerbs.ReplaceAllString(said, " ") // "remember that X is Y"
	}
	return said
}

// scheduled reports whether the tool has an argument for a time.
func (d *document) scheduled() bool {
	for name := range d.properties {
		if role := d.roleOf(name); role == roleDate || role == roleTime || containsAny(strings.ToLower(name), "due", "start", "end", "when", "schedul", "deadline", "delay", "remind") {
			return true
		}
	}
	return false
}

// argumentContains reports whether an argument contains a text.
func argumentContains(args map[string]any, text string) bool {
	for _, v := range args {
		switch v := v.(type) {
		case string:
			if strings.Contains(v, text) {
				return true
			}
		case []any:
			if slices.ContainsFunc(v, func(one any) bool { s, _ := one.(string); return strings.Contains(s, text) }) {
				return true
			}
		}
	}
	return false
}

// changesOf reports whether a tool changes something. If its words do not show whether it does,
// changesOf returns true. The protocol has the same rule: a tool without annotations may change
// anything.
func changesOf(d *document) bool {
	switch d.tool.Effect {
	case Reads:
		return false
	case Changes:
		return true
	}
	if len(d.name) > 0 {
		switch w := d.name[0]; {
		case slices.Contains([]string{"to", "as", "is", "has"}, Words(d.tool.Own)[0]): // to_upper
			return false
		case w == "add" && len(d.required) > 1 && required(d, roleNumber) == len(d.required): // adds numbers
			return false
		case changeVerbs[w]:
			return true
		case lookupVerbs[w] && !ambiguous[w]:
			return slices.Contains(Words(d.tool.Own), "or") && slices.ContainsFunc(d.name, func(w string) bool { return changeVerbs[w] })
		}
		for _, w := range d.name[1:] { // the verb follows a noun
			if changeVerbs[w] {
				return true
			}
			if strongVerbs[w] {
				return false
			}
			if lookupVerbs[w] {
				break
			}
		}
	}
	told := Words(d.description)
	if len(told) > 1 && (told[0] == "this" || told[0] == "a" || told[0] == "the") {
		told = told[1:]
	}
	return len(told) == 0 || !lookupVerbs[stem(told[0])] || ambiguous[stem(told[0])]
}

// strongVerbs lists the verbs that mean reading even after a noun. ambiguous lists the verbs that read
// in some tools and change something in others, such as "log" in "log an expense".
var (
	strongVerbs = set(strings.Join(words("get list search find fetch describe show query lookup view"), " "))
	ambiguous   = set(strings.Join(words("log check print"), " "))
)

// asks reports whether the verb of the request is a verb of the tool.
func (x *index) asks(r *request, d *document) bool {
	action := r.verb
	for _, v := range d.verbs() {
		if x.similarity(action, v) >= 0.6 && action != "" && !distinctVerbs[action][v] {
			return true
		}
	}
	// "bookmark X" saves a bookmark, and "text X" sends a text.
	return len(d.name) >= 2 && saveVerbs[d.name[0]] && action == d.name[len(d.name)-1]
}

// verbs returns the stems of the verbs for what a tool does.
func (d *document) verbs() []string {
	if d.doing != nil {
		return d.doing
	}
	var all []string
	for i, w := range d.name {
		if i == 0 || changeVerbs[w] || lookupVerbs[w] {
			all = append(all, w)
		}
	}
	if d.tool.Title != "" {
		all = append(all, slices.Collect(maps.Keys(d.title))...)
	}
	for i, w := range Words(d.description) {
		if w = stem(w); i < 14 && (i == 0 || changeVerbs[w] || lookupVerbs[w]) {
			all = append(all, w)
		}
	}
	d.doing = all
	return all
}

// hasUnknownWord reports whether the request contains a word that neither the tool nor a value
// explains. Such an order concerns something that the tool does not handle.
func (x *index) hasUnknownWord(r *request, d *document, taken map[string]bool) bool {
	return slices.ContainsFunc(r.words, func(w string) bool {
		return !taken[w] && !genericVerbs[w] && !useVerbs[w] && x.weight(d, w) < 0.3
	})
}
