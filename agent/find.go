package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/agent/toolsearch"
	"goated/registry"
)

// The limits of the tools that a request declares. If there are more tools, the model searches for
// them instead of receiving all. Gemini accepts at most 512.
const (
	maxDeclared = 128    // tools
	maxTokens   = 24_000 // of all declarations, and at most a quarter of the model's context
	maxActive   = 48     // tools that are declared while the model searches
	foundTools  = 10     // results of one search
	likelyTools = 8      // results of a search for the words of the user's message
)

const findTools = "find_tools"

// A finder declares a few of many tools: the tools that the user pinned, those that match the
// user's messages, those that the model found, and those that the model called.
type finder struct {
	index   *toolsearch.Index
	entries []registry.Entry
	pinned  int              // how many of active, at its beginning, the user pinned
	active  []registry.Entry // declared, in the order of their activation
	tokens  int              // sum of active
	found   map[string]bool  // names of tools found since the last request; they stay active until the next one
}

// maxDeclarations returns how many tokens the declarations of a request may take. 0 means no limit,
// for a model that needs all tools: it does not read declarations.
func (s *Session) maxDeclarations() int {
	switch w := s.window(); {
	case s.Model != nil && !CanAnswer(s.Model):
		return 0
	case w > 0:
		return min(maxTokens, w/4)
	}
	return maxTokens
}

// renew returns a finder for the tools of the declarations, or nil if all of them fit into a
// request. Active tools stay active. f may be nil.
func (f *finder) renew(c *declarations, pinned []string) *finder {
	if c.most == 0 || len(c.entries) <= maxDeclared && c.tokens() <= c.most {
		return nil
	}
	next := &finder{entries: c.entries}
	tools := make([]toolsearch.Tool, len(c.entries))
	byName := make(map[string]registry.Entry, len(c.entries))
	for i, e := range c.entries {
		tools[i] = toolsearch.Tool{Server: e.Server, Name: e.Tool.Name, Title: registry.Title(e.Tool), Description: e.Tool.Description, Args: argumentsOf(e.Tool.InputSchema)}
		byName[e.Name] = e
	}
	next.index = toolsearch.New(tools)
	for _, name := range pinned[:min(len(pinned), maxActive/2)] {
		if e, ok := byName[name]; ok && next.tokens+c.declared(e).Tokens <= c.most {
			next.activate(c, e)
		}
	}
	next.pinned = len(next.active)
	if f != nil {
		for _, e := range f.active {
			if now, ok := byName[e.Name]; ok {
				next.activate(c, now)
			}
		}
	}
	return next
}

// tokens estimates the cost of all declarations.
func (ds *declarations) tokens() int {
	sum := 0
	for _, e := range ds.entries {
		sum += ds.declared(e).Tokens
	}
	return sum
}

// argumentsOf returns the name and description of each argument in a schema.
func argumentsOf(schema any) []string {
	root, _ := schema.(map[string]any)
	properties, _ := root["properties"].(map[string]any)
	var out []string
	for name, p := range properties {
		member, _ := p.(map[string]any)
		description, _ := member["description"].(string)
		out = append(out, name+" "+description)
	}
	slices.Sort(out)
	return out
}

// activate declares a tool from now on. If the active tools are too many or too large, it removes
// the oldest, but none that is pinned or was just found. It reports whether the list changed.
func (f *finder) activate(c *declarations, e registry.Entry) bool {
	if slices.ContainsFunc(f.active, func(o registry.Entry) bool { return o.Name == e.Name }) {
		return false
	}
	cost := c.declared(e).Tokens
	for len(f.active) >= maxActive || f.tokens+cost > c.most {
		oldest := slices.IndexFunc(f.active[f.pinned:], func(o registry.Entry) bool { return !f.found[o.Name] })
		if oldest < 0 {
			break
		}
		oldest += f.pinned
		f.tokens -= c.declared(f.active[oldest]).Tokens
		f.active = slices.Delete(slices.Clone(f.active), oldest, oldest+1)
	}
	f.active, f.tokens = append(slices.Clip(f.active), e), f.tokens+cost
	return true
}

// search activates the tools that match the words and returns them, best first. It skips a tool
// that does not fit beside the pinned tools, the better matches and the results of earlier searches
// for the same request. full means that it skipped all matches. The first search for a request
// always returns its best match, however large.
func (f *finder) search(c *declarations, words string, most int) (found []registry.Entry, full bool) {
	room, places := c.most, maxActive
	stays := make(map[string]bool)
	for i, e := range f.active {
		if i < f.pinned || f.found[e.Name] {
			stays[e.Name] = true
			room, places = room-c.declared(e).Tokens, places-1
		}
	}
	must := len(f.found) == 0
	for _, i := range f.index.Search(words[:min(len(words), 2000)], most) {
		e := f.entries[i]
		if c.isExcluded(e) || c.declared(e).Function == nil {
			continue
		}
		if !stays[e.Name] {
			cost := c.declared(e).Tokens
			if (cost > room || places < 1) && (!must || len(found) > 0) {
				full = true
				continue
			}
			room, places = room-cost, places-1
		}
		if f.found == nil {
			f.found = make(map[string]bool)
		}
		f.found[e.Name] = true
		found = append(found, e)
	}
	for _, e := range found { // after the loop above, so that no result of this search evicts another
		if f.activate(c, e) {
			c.tools = nil
		}
	}
	return found, full && len(found) == 0
}

// finderFunction returns the declaration of find_tools.
func finderFunction(tools int) *genai.FunctionDeclaration {
	return &genai.FunctionDeclaration{
		Name: findTools,
		Description: fmt.Sprintf("Finds tools that can do something. %d tools are connected, and only some of them are declared here. "+
			"Search before you say that you can't do something. The tools that it finds are declared in the next step.", tools),
		ParametersJsonSchema: map[string]any{
			"type": "object", "required": []any{"query"}, "properties": map[string]any{
				"query": map[string]any{"type": "string", "description": "What the tool has to do, in a few words, such as: create a calendar event."},
			}},
	}
}

// find implements the function find_tools.
func (s *Session) find(args map[string]any) (string, error) {
	query, _ := args["query"].(string)
	if strings.TrimSpace(query) == "" {
		return "", fmt.Errorf("the query is empty; say what the tool has to do")
	}
	s.declarations.finding.Lock() // calls of one step run in parallel
	defer s.declarations.finding.Unlock()
	found, full := s.declarations.finder.search(&s.declarations, query, foundTools)
	if full {
		return "", errors.New("the other searches of this step found so many tools that no more can be declared; search for this again in the next step")
	}
	if len(found) == 0 {
		return "No tool fits these words. Try other words, or tell the user that no connected tool can do this.", nil
	}
	var out strings.Builder
	for _, e := range found {
		description, _, _ := strings.Cut(strings.TrimSpace(e.Tool.Description), "\n")
		fmt.Fprintf(&out, "- %s: %s\n", e.Name, strings.ToValidUTF8(description[:min(len(description), 200)], ""))
	}
	return out.String() + "You can call these tools now.", nil
}
