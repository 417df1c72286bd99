package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent/toolsearch"
	"goated/registry"
)

// The limits of the tools that a request declares. Above them the model searches for
// tools instead of receiving all. Gemini takes at most 512.
const (
	maxDeclared = 128    // tools
	maxTokens   = 24_000 // of all declarations, and at most a quarter of the model's context
	maxActive   = 48     // tools that are declared while the model searches
	foundTools  = 10     // of one search
	likelyTools = 8      // for a message of the user
)

const findTools = "find_tools"

// A finder declares some of many tools: those that the user pinned, that fit the
// messages, that the model found, and that were called.
type finder struct {
	index   *toolsearch.Index
	entries []registry.Entry
	pinned  int              // the first of active
	active  []registry.Entry // declared, in the order of their activation
	tokens  int              // of active
}

// maxDeclarations returns how many tokens the declarations of a request may take; 0 means
// any number: a model that needs all tools reads no declarations.
func (s *Session) maxDeclarations() int {
	switch w := s.window(); {
	case s.Model != nil && !CanAnswer(s.Model):
		return 0
	case w > 0:
		return min(maxTokens, w/4)
	}
	return maxTokens
}

// renew returns the finder for the tools of the declarations; nil if all of them fit into a
// request. Active tools stay active.
func (f *finder) renew(c *declarations, pinned []string) *finder {
	if c.most == 0 || len(c.entries) <= maxDeclared && c.tokens() <= c.most {
		return nil
	}
	next := &finder{entries: c.entries}
	tools := make([]toolsearch.Tool, len(c.entries))
	byName := make(map[string]registry.Entry, len(c.entries))
	for i, e := range c.entries {
		tools[i] = toolsearch.Tool{Server: e.Server, Name: e.Tool.Name, Title: titleOf(e.Tool), Description: e.Tool.Description, Args: argumentsOf(e.Tool.InputSchema)}
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

// titleOf returns a tool's name for users; empty if its server gives none.
func titleOf(t *mcp.Tool) string {
	if t.Title == "" && t.Annotations != nil {
		return t.Annotations.Title
	}
	return t.Title
}

// argumentsOf returns the names and descriptions of the arguments in a schema.
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

// activate declares a tool from now on. If there are too many, or they are too large, those
// that were activated first and are not pinned go. It reports whether the list changed.
func (f *finder) activate(c *declarations, e registry.Entry) bool {
	if slices.ContainsFunc(f.active, func(o registry.Entry) bool { return o.Name == e.Name }) {
		return false
	}
	cost := c.declared(e).Tokens
	for len(f.active) > f.pinned && (len(f.active) >= maxActive || f.tokens+cost > c.most) {
		f.tokens -= c.declared(f.active[f.pinned]).Tokens
		f.active = slices.Delete(slices.Clone(f.active), f.pinned, f.pinned+1)
	}
	f.active, f.tokens = append(slices.Clip(f.active), e), f.tokens+cost
	return true
}

// search activates the tools that fit the words and returns them: the best ones, if all
// of them are too large.
func (f *finder) search(c *declarations, words string, most int) []registry.Entry {
	var found []registry.Entry
	tokens := 0
	for _, i := range f.index.Search(words[:min(len(words), 2000)], most) {
		e := f.entries[i]
		if c.leaves(e) {
			continue
		}
		if tokens += c.declared(e).Tokens; tokens > c.most && len(found) > 0 {
			break
		}
		found = append(found, e)
		if f.activate(c, e) {
			c.tools = nil
		}
	}
	return found
}

// finderFunction declares the search.
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

// find is the function find_tools.
func (s *Session) find(args map[string]any) (string, error) {
	query, _ := args["query"].(string)
	if strings.TrimSpace(query) == "" {
		return "", fmt.Errorf("the query is empty; say what the tool has to do")
	}
	s.declarations.finding.Lock() // calls of one step run in parallel
	defer s.declarations.finding.Unlock()
	found := s.declarations.finder.search(&s.declarations, query, foundTools)
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
