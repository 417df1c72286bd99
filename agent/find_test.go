package agent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/geminitest"
	"goated/registry"
)

// manyTools returns n tools, one of which books flights.
func manyTools(n int) *toolbox {
	box := tools(echo)
	offered := make([]*mcp.Tool, n)
	for i := range offered {
		offered[i] = &mcp.Tool{
			Name: fmt.Sprintf("metric_%05d", i), Description: fmt.Sprintf("Reads the value of the metric %d of the plant.", i),
			InputSchema: map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer", "description": "The number of the sample."}}},
		}
	}
	offered[n/2] = &mcp.Tool{Name: "book_flight", Description: "Books a flight between two airports.", InputSchema: map[string]any{"type": "object"}}
	offered[n/3] = &mcp.Tool{Name: "order_pizza", Description: "Orders a pizza.", InputSchema: map[string]any{"type": "object"}}
	box.Registry.Set("box", false, registry.Origin{}, offered)
	return box
}

func declaredIn(r geminitest.Request) []string {
	var names []string
	for _, t := range r.Tools {
		for _, f := range t.FunctionDeclarations {
			names = append(names, f.Name)
		}
	}
	return names
}

// If there are more tools than a request may declare, the model gets those that match the message,
// and find_tools. It can call what it finds in the next step, and the tool stays declared.
func TestModelSearchesForTools(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Call(findTools, map[string]any{"query": "book a flight"}),
		geminitest.Call("box__book_flight", nil),
		geminitest.Text("Booked."),
		geminitest.Text("Hello."),
	)
	box := manyTools(10000)
	session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), Pinned: []string{"box__metric_00007"}}
	events, err := collect(t.Context(), session, "I want to be in Rome tomorrow")
	if err != nil || len(box.Calls) != 1 {
		t.Fatalf("%v, ran %v", err, box.Calls)
	}
	if said := only[ToolReturned](events)[0].Result.Content[0].(*mcp.TextContent).Text; !strings.HasPrefix(said, "- box__book_flight: Books a flight") {
		t.Errorf("the search returns %q", said)
	}
	if _, err := collect(t.Context(), session, "order a pizza"); err != nil {
		t.Fatal(err)
	}
	for i, r := range s.Requests() {
		names := declaredIn(r)
		if len(names) > maxActive+1 || !slices.Contains(names, findTools) || names[0] != "box__metric_00007" {
			t.Errorf("request %d declares %d tools, first %s", i, len(names), names[0])
		}
		if got := slices.Contains(names, "box__book_flight"); got != (i > 0) {
			t.Errorf("request %d declares the found tool: %t", i, got)
		}
		if len(r.Body) > 40<<10 {
			t.Errorf("request %d has %d bytes", i, len(r.Body))
		}
	}
	if !slices.Contains(declaredIn(s.Requests()[3]), "box__order_pizza") {
		t.Error("the tool that fits the message is not declared")
	}
	s.Done()
}

// The number of active tools is limited. Pinned tools stay.
func TestActiveToolsAreBounded(t *testing.T) {
	box := manyTools(1000)
	session := &Session{Tools: box, Pinned: []string{"box__order_pizza"}}
	turn := &turn{Session: session, yield: func(Event, error) bool { return true }}
	turn.prepare()
	for i := range 200 {
		session.declarations.finder.search(&session.declarations, fmt.Sprintf("metric %d", i), 3)
	}
	active := session.declarations.finder.active
	if len(active) != maxActive || active[0].Name != "box__order_pizza" {
		t.Errorf("%d tools are active, first %s", len(active), active[0].Name)
	}
}

// The request after a search declares each tool that the search returned, even beside large pinned
// tools and after another search in the same step.
func TestFoundToolsAreDeclared(t *testing.T) {
	for name, tt := range map[string]struct {
		pinned  int
		queries []string
	}{
		"beside pinned tools": {18, []string{"metric of the plant"}},
		"two searches":        {0, []string{"metric of the plant", "order pizza", "metric sample value", "book flight"}},
		"both":                {18, []string{"metric of the plant", "order pizza", "book flight"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := geminitest.New(t)
			var searches []geminitest.Reply
			for _, q := range tt.queries {
				searches = append(searches, geminitest.Call(findTools, map[string]any{"query": q}))
			}
			s.Script(geminitest.Calls(searches...), geminitest.Text("Done."))
			box := tools(echo)
			offered := make([]*mcp.Tool, 200)
			for i := range offered {
				offered[i] = &mcp.Tool{
					Name: fmt.Sprintf("metric_%05d", i), Description: fmt.Sprintf("Reads the sample value of the metric %d of the plant. %s", i, strings.Repeat("x", 4000)),
					InputSchema: map[string]any{"type": "object"},
				}
			}
			offered[100].Name, offered[100].Description = "book_flight", "Books a flight. "+strings.Repeat("x", 4000)
			offered[150].Name, offered[150].Description = "order_pizza", "Orders a pizza. "+strings.Repeat("x", 4000)
			box.Registry.Set("box", false, registry.Origin{}, offered)
			session := &Session{Model: gemini(t, s), Tools: box}
			for i := range tt.pinned {
				session.Pinned = append(session.Pinned, fmt.Sprintf("box__metric_%05d", 199-i))
			}
			events, err := collect(t.Context(), session, "hello")
			if err != nil {
				t.Fatal(err)
			}
			declared := declaredIn(s.Requests()[1])
			lists := 0
			for i, r := range only[ToolReturned](events) {
				if r.Result == nil && strings.Contains(r.Error, "next step") {
					continue // the other lists leave no room
				}
				lists++
				said := r.Result.Content[0].(*mcp.TextContent).Text
				if !strings.HasPrefix(said, "- ") {
					t.Errorf("the search for %q returns %q", tt.queries[i], said)
				}
				for line := range strings.Lines(said) {
					if found, ok := strings.CutPrefix(line, "- "); ok {
						if found, _, _ = strings.Cut(found, ":"); !slices.Contains(declared, found) {
							t.Errorf("the search for %q returns %s, which the next request does not declare", tt.queries[i], found)
						}
					}
				}
			}
			if lists == 0 || tt.pinned == 0 && lists < len(tt.queries) {
				t.Errorf("%d of %d searches return tools", lists, len(tt.queries))
			}
			s.Done()
		})
	}
}

// With 10,000 tools, a later step takes the host about as long as with 20.
func TestManyToolsCostLittle(t *testing.T) {
	cost := func(n int) time.Duration {
		session := &Session{Tools: manyTools(n)}
		turn := &turn{Session: session, yield: func(Event, error) bool { return true }}
		turn.config("")
		least := time.Hour
		for range 20 {
			began := time.Now()
			turn.config("")
			least = min(least, time.Since(began))
		}
		return least
	}
	if few, many := cost(20), cost(10000); many > 10*time.Millisecond {
		t.Errorf("20 tools take %v, 10,000 take %v", few, many)
	}
}
