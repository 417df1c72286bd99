package intent

import (
	"slices"
	"strings"
)

// A comparison computes the score of one tool.
type comparison struct {
	*filling
	result      scored
	valueStems  map[string]bool // stems in the values of arguments
	found       float64         // the weight of the request's words that occur in the tool
	wordShare   float64         // the share of the request's words that occur in the tool, by weight
	nameShare   float64         // the share of the tool's name that occurs in the request, by weight
	common      bool            // the name of the tool consists of generic words
	argumentFit float64         // how well the arguments match
	consumed    bool            // an entity of a rare kind is an argument
	missing     int             // the number of required arguments that the request does not provide
}

// score compares a request with a tool: their words, the tool's name, and its arguments.
func (x *index) score(r *request, d *document) scored {
	c := &comparison{filling: x.filling(r, d), result: scored{document: d, changes: changesOf(d), exact: named(r, d)}}
	s := &c.result
	switch {
	case s.changes && c.asksFor(lookupVerbs):
		s.changes = false
	case c.asksFor(changeVerbs):
		s.changes = true
	}
	c.valueStems = c.usedStems(s.changes)
	c.compareWords()
	c.compareName()
	c.compareArguments()
	c.combine()
	c.weighRequest()
	c.weighVerb()
	if c.aboutFact {
		s.total = max(s.total, 1.05)
	} else if c.guessed {
		s.total, s.guessed = max(s.total, 0.85), true
	}
	if s.asked = c.isRequested(); s.changes && !s.asked {
		s.total *= 0.75
	}
	return *s
}

// importance returns the weight of a word. Rare words count most, and generic ones least.
func (x *index) importance(w string) float64 {
	if genericVerbs[w] {
		return 0.45 * x.rarity(w)
	}
	return x.rarity(w)
}

// compareWords computes the share of the request's words that occur in the tool, and whether the
// first of them is a verb of the tool. It ignores a word that is the value of an argument, or part
// of a code such as logs-2026.
func (c *comparison) compareWords() {
	all := 0.0
	for i, w := range c.words {
		if c.codes[w] {
			continue
		}
		rare, v := c.importance(w), c.weight(c.document, w)
		if v < 0.3 && c.valueStems[w] {
			if _, known := c.rare[w]; c.names[w] || known && c.inLooseArgument(w) { // it may also be a word of another tool
				all += rare
			}
			continue
		}
		all += rare
		c.found += rare * v
		if i == 0 && !c.question {
			c.result.verb = v >= 0.3
			if v >= 0.9 && !genericVerbs[w] {
				c.found, all = c.found+0.3*rare, all+0.3*rare
			}
		}
	}
	if all > 0 {
		c.wordShare = c.found / all
	}
	if c.question || len(c.words) == 0 || genericVerbs[c.verb] && !c.result.changes || c.acted || c.aboutFact || c.guessed {
		c.result.verb = true
	}
}

// compareName computes the share of the tool's name that occurs in the request. If two tools have
// the same words, the one with the shorter name is more general.
func (c *comparison) compareName() {
	hits, all := 0.0, 0.0
	for _, n := range c.name {
		best := 0.0
		for _, w := range c.words {
			best = max(best, c.similarity(w, n))
		}
		hits += c.importance(n) * best
		all += c.importance(n)
	}
	if all > 0 {
		c.nameShare = hits / all
	}
	c.common = !slices.ContainsFunc(c.name, func(n string) bool { return !genericVerbs[n] })
	if c.common {
		c.nameShare *= 0.4 // "find" and "open" are common verbs, so they rarely name the tools "find" and "open"
	}
}

// compareArguments computes how well the arguments match. A required argument that the request does
// not provide counts against the tool.
func (c *comparison) compareArguments() {
	c.argumentFit, c.consumed = c.fit()
	if c.aboutFact {
		c.argumentFit, c.consumed = c.argumentFit+0.5, true
	}
	if c.consumed {
		c.wordShare = max(c.wordShare, c.otherToolFactor(c.request, c.document)*(0.5+0.2*c.wordShare))
	}
	if c.consumed && len(c.words) == 0 {
		c.argumentFit += 0.4
	}
	filled := 0.0
	for _, name := range c.required {
		if _, ok := c.args[name]; !ok {
			c.argumentFit -= 0.08
			if c.missing++; c.missing > 1 {
				c.argumentFit -= 0.12 // such a short request is probably for another tool
			}
		} else if !slices.Contains(c.loose, name) {
			filled += 0.1
		} else if len(c.required) > 1 {
			c.argumentFit -= 0.05
		}
	}
	c.argumentFit += min(filled, 0.3)
	c.result.given = filled > 0
}

// combine adds up the results of the comparisons.
func (c *comparison) combine() {
	s := &c.result
	s.total = 1.25*c.wordShare + 0.55*c.nameShare + c.argumentFit
	if c.found < 0.22 && !c.consumed {
		s.total = min(s.total, 0.3)
	}
	if c.wordShare < 0.34 && !c.consumed && !s.exact {
		s.total *= 0.5
	}
	if c.common && c.wordShare < 0.8 {
		s.total *= 0.85
	}
	if s.exact {
		s.total += 0.8
	}
}

// weighRequest lowers the total for a request that probably needs no tool.
func (c *comparison) weighRequest() {
	s := &c.result
	if !s.verb && !s.exact {
		s.total *= 0.55
	}
	if c.matches(pastReport, c.text) && !s.exact {
		s.total *= 0.5
	}
	if c.matches(howToQuestion, c.text) && !s.exact {
		s.total *= 0.3
	} else if knowledgeVerbs[c.verb] && !s.exact || len(c.said) > 0 && c.question && aboutWorld(c.request) && len(c.entities) == 0 && !c.consumed && c.nameShare < 0.5 {
		s.total *= 0.4
	}
}

// weighVerb lowers the total of a tool that only reads if the request asks for a change, and vice
// versa.
func (c *comparison) weighVerb() {
	s := &c.result
	switch {
	case s.exact:
	case changeVerbs[c.verb] && !s.changes && !c.aboutFact:
		s.total *= 0.5
	case lookupVerbs[c.verb] && !changeVerbs[c.verb] && s.changes:
		s.total *= 0.6
	}
	if c.verb == "list" && c.weight(c.document, "list") < 0.4 {
		s.total *= 0.7
	}
}

// isRequested reports whether the request matches the tool. A tool that changes something has to meet
// stricter conditions.
func (c *comparison) isRequested() bool {
	s := &c.result
	asked := c.asks(c.request, c.document) || useVerbs[c.verb] && (c.nameShare >= 0.4 || s.exact) || c.runsSQL() || c.acted || c.aboutFact
	if !s.changes {
		return asked
	}
	switch {
	case !c.ordersExactly(c.request, c.filling, s.exact),
		!s.given && (!s.exact || len(Words(c.tool.Own)) == 1) && !c.runsSQL() && c.hasUnknownWord(c.request, c.document, c.usedStems(false)),
		!s.exact && c.lacksPath(),
		c.missing > 1 && !strings.Contains(c.lower, strings.ToLower(c.tool.Own)),
		c.stated,
		c.deletesSomethingElse(c.request, c.document):
		return false
	case !s.given && len(c.required) > 0 && !s.exact && len(c.words) > 0: // a verb alone is not enough
		return asked && slices.ContainsFunc(c.words[1:], func(w string) bool { return !c.valueStems[w] && c.weight(c.document, w) >= 0.4 })
	}
	return asked
}

// otherToolFactor returns a factor below 1 if the request contains words from the names of other tools. The
// URL or host in the request may then be meant for another tool.
func (x *index) otherToolFactor(r *request, d *document) float64 {
	n := 0
	for _, w := range r.words {
		if x.names[w] && !genericVerbs[w] && x.weight(d, w) < 0.3 {
			n++
		}
	}
	return 1 - 0.5*float64(n)/float64(max(len(r.words), 1))
}

// lacksPath reports whether the tool needs a file that the request does not mention.
func (f *filling) lacksPath() bool {
	return !f.takesRepo() && slices.ContainsFunc(f.required, func(name string) bool {
		_, known := f.args[name]
		return !known && f.roleOf(name) == rolePath
	})
}
