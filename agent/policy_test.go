package agent

import (
	"context"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/geminitest"
	"goated/registry"
)

// A grant was bound to a name, so a changed tool or another server with the same name inherited it.
func TestAGrantIsForOneDefinitionOfOneServer(t *testing.T) {
	entry := func(change func(*registry.Entry)) registry.Entry {
		tool := mcp.Tool{Name: "roll", Title: "Roll", Description: "Rolls dice.", InputSchema: map[string]any{"type": "object"}}
		e := registry.Entry{Name: "dice__roll", Server: "dice", Tool: &tool, Origin: registry.Origin{Start: "/a/dice.py", Code: "1", Version: "1.0", Connection: 1}}
		change(&e)
		return e
	}
	var p Policy
	if err := p.Grant(entry(func(*registry.Entry) {})); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*registry.Entry){
		"description": func(e *registry.Entry) { e.Tool.Description = "Delete all files below path." },
		"title":       func(e *registry.Entry) { e.Tool.Title = "Roll!" },
		"schema": func(e *registry.Entry) {
			e.Tool.InputSchema = map[string]any{"type": "object", "required": []string{"path"}}
		},
		"annotations": func(e *registry.Entry) { e.Tool.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: true} },
		"script":      func(e *registry.Entry) { e.Origin.Start = "/evil/dice.py" },
		"code":        func(e *registry.Entry) { e.Origin.Code = "2" },
		"version":     func(e *registry.Entry) { e.Origin.Version = "1.1" },
	} {
		if p.Allows(entry(change), nil) {
			t.Errorf("a changed %s inherits the grant", name)
		}
	}
	if !p.Allows(entry(func(e *registry.Entry) { e.Origin.Connection = 2 }), nil) {
		t.Error("a restarted server lost its grant")
	}
}

// A permission for a conversation ends when the server disconnects, and does not apply to another
// conversation.
func TestAllowChatEndsWithTheConnection(t *testing.T) {
	box := tools(echo, "a")
	asked := 0
	talk := func(s *Session, connection int64) {
		box.Registry.Set("box", false, registry.Origin{Connection: connection}, []*mcp.Tool{{Name: "a", InputSchema: map[string]any{"type": "object"}}})
		s.Model = &script{answers: [][]*genai.Part{calls("box__a"), calls("box__a")}}
		if _, err := collect(t.Context(), s, "go"); err != nil {
			t.Fatal(err)
		}
	}
	approve := each(func(context.Context, ToolCalled) (Decision, error) { asked++; return AllowChat, nil })
	one, other := &Session{Tools: box, Policy: &Policy{}, Approve: approve}, &Session{Tools: box, Policy: &Policy{}, Approve: approve}
	for i, step := range []struct {
		session    *Session
		connection int64
		want       int
	}{{one, 1, 1}, {one, 1, 1}, {other, 1, 2}, {one, 2, 3}} {
		if talk(step.session, step.connection); asked != step.want {
			t.Errorf("step %d: %d questions so far, want %d", i, asked, step.want)
		}
	}
}

// An edit, another answer or a deletion continues the conversation in a new session. A tool that
// the user allowed for the conversation does not ask again.
func TestAllowChatSurvivesAnEdit(t *testing.T) {
	box, asked := tools(echo, "a"), 0
	box.Registry.Set("box", false, registry.Origin{Connection: 1}, []*mcp.Tool{{Name: "a", InputSchema: map[string]any{"type": "object"}}})
	var before *Session
	for range 3 {
		s := &Session{Tools: box, Policy: &Policy{}, Model: &script{answers: [][]*genai.Part{calls("box__a")}},
			Approve: each(func(context.Context, ToolCalled) (Decision, error) { asked++; return AllowChat, nil })}
		s.InheritApprovals(before)
		if _, err := collect(t.Context(), s, "go"); err != nil {
			t.Fatal(err)
		}
		before = s
	}
	if asked != 1 {
		t.Errorf("%d questions", asked)
	}
}

// The session asks one question about all calls of a step. The user can change arguments and deny
// single calls.
func TestOneQuestionForAStep(t *testing.T) {
	var ran []any
	box := tools(func(_ context.Context, tool string, args map[string]any) (string, error) {
		ran = append(ran, args["n"])
		return "ok", nil
	}, "a", "b", "c")
	questions := 0
	session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a", "box__b", "box__c")}}, Tools: box,
		Approve: func(_ context.Context, pending []Pending) ([]Answer, error) {
			questions++
			if len(pending) != 3 || pending[1].Entry.Tool.Name != "b" {
				t.Errorf("the question is about %+v", pending)
			}
			return []Answer{{Decision: AllowOnce, Args: map[string]any{"n": 7.0}}, {}, {}}, nil
		}}
	events, err := collect(t.Context(), session, "go")
	if err != nil {
		t.Fatal(err)
	}
	if questions != 1 || len(ran) != 1 || ran[0] != 7.0 {
		t.Errorf("%d questions; calls ran with %v", questions, ran)
	}
	denied := 0
	for _, e := range events {
		if d, ok := e.(ToolDecided); ok && d.Decision == Deny {
			denied++
		} else if ok && d.Args["n"] != 7.0 {
			t.Errorf("decided: %+v", d)
		}
	}
	response := session.History()[2].Parts[0].FunctionResponse.Response
	if denied != 2 || response["note"] == nil {
		t.Errorf("%d calls are denied; the model gets %v", denied, response)
	}
}

// If the tool changes while the user decides, the call does not run.
func TestACallRunsOnlyWhatWasApproved(t *testing.T) {
	box := tools(echo, "a")
	session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a")}}, Tools: box, Approve: each(func(context.Context, ToolCalled) (Decision, error) {
		box.Registry.Set("box", false, registry.Origin{Start: "/evil/a.py"}, []*mcp.Tool{{Name: "a", InputSchema: map[string]any{"type": "object"}}})
		return AllowOnce, nil
	})}
	if _, err := collect(t.Context(), session, "go"); err != nil {
		t.Fatal(err)
	}
	if len(box.Calls) > 0 {
		t.Error("another tool ran than the approved one")
	}
}

// Safety 2: a question about a tool that only reads names the read-only tools of its
// server, and one answer allows exactly those.
func TestAllowReadsAllowsWhatItListed(t *testing.T) {
	box := tools(echo, "read", "list", "write")
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true}
	object := map[string]any{"type": "object"}
	box.Registry.Set("box", false, registry.Origin{Connection: 1}, []*mcp.Tool{
		{Name: "read", InputSchema: object, Annotations: reads}, {Name: "list", InputSchema: object, Annotations: reads}, {Name: "write", InputSchema: object}})
	var asked []string
	session := &Session{Tools: box, Policy: &Policy{}, Approve: ApproveOneByOne(func(_ context.Context, p Pending) (Answer, error) {
		asked = append(asked, p.Call.Tool)
		if p.Call.Tool == "write" {
			if p.Reads != nil {
				t.Errorf("a tool that writes offers %+v", p.Reads)
			}
			return Answer{Decision: AllowReads}, nil // not offered here, so it allows no later calls
		}
		if len(p.Reads) != 2 {
			t.Errorf("the question lists %+v", p.Reads)
		}
		return Answer{Decision: AllowReads}, nil
	}), Model: &script{answers: [][]*genai.Part{calls("box__read", "box__list", "box__write"), calls("box__list"), calls("box__write")}}}
	if _, err := collect(t.Context(), session, "go"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"read", "write", "write"}; !slices.Equal(asked, want) {
		t.Errorf("asked about %v, want %v", asked, want)
	}
}

// A tool that needs approval for each call asks even if AllowAll is set. Without a user to ask, the
// call does not run.
func TestAllowAllLeavesToolsOfEachCall(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Calls(geminitest.Call("box__shell", nil), geminitest.Call("box__x", nil)), geminitest.Text("ok"),
		geminitest.Call("box__shell", nil), geminitest.Text("ok"))
	box := tools(echo)
	box.Registry.Set("box", false, registry.Origin{}, []*mcp.Tool{
		{Name: "shell", InputSchema: map[string]any{"type": "object"}, Meta: mcp.Meta{registry.ApprovalKey: registry.ApprovalEach}},
		{Name: "x", InputSchema: map[string]any{"type": "object"}},
	})
	session := &Session{Model: gemini(t, s), Tools: box, Policy: &Policy{AllowAll: true}}
	if _, err := collect(t.Context(), session, "go"); err != nil || !slices.Equal(box.Calls, []string{"box__x"}) {
		t.Errorf("ran %v, %v", box.Calls, err)
	}
	var asked []string
	session.Approve = each(func(_ context.Context, c ToolCalled) (Decision, error) {
		asked = append(asked, c.Name)
		return AllowOnce, nil
	})
	if _, err := collect(t.Context(), session, "go"); err != nil || !slices.Equal(asked, []string{"box__shell"}) || len(box.Calls) != 2 {
		t.Errorf("asked about %v, ran %v, %v", asked, box.Calls, err)
	}
}

func TestPolicy(t *testing.T) {
	tool := func(annotations *mcp.ToolAnnotations, bundled bool) registry.Entry {
		return registry.Entry{Name: "s__t", Bundled: bundled, Tool: &mcp.Tool{Name: "t", Annotations: annotations}}
	}
	readOnly := &mcp.ToolAnnotations{ReadOnlyHint: true}
	var p Policy
	for _, tt := range []struct {
		name  string
		entry registry.Entry
		want  bool
	}{
		{"bundled, read-only", tool(readOnly, true), true},
		{"bundled, writes", tool(&mcp.ToolAnnotations{}, true), false},
		{"bundled, says nothing", tool(nil, true), false},
		{"a stranger that says it is read-only", tool(readOnly, false), false},
	} {
		if got := p.Allows(tt.entry, nil); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	memory := tool(nil, true)
	memory.Tool.Meta = mcp.Meta{registry.ReadsKey: map[string]any{"action": []any{"read", "list"}, "scope": []any{"mine"}}}
	stranger := memory
	stranger.Bundled = false
	each := memory
	each.Tool = &mcp.Tool{Meta: mcp.Meta{registry.ReadsKey: memory.Tool.Meta[registry.ReadsKey], registry.ApprovalKey: registry.ApprovalEach}}
	for _, tt := range []struct {
		name  string
		entry registry.Entry
		args  map[string]any
		want  bool
	}{
		{"a call that only reads", memory, map[string]any{"action": "list", "scope": "mine", "key": "x"}, true},
		{"a call that writes", memory, map[string]any{"action": "write", "scope": "mine"}, false},
		{"another scope", memory, map[string]any{"action": "read", "scope": "all"}, false},
		{"a missing argument", memory, map[string]any{"action": "read"}, false},
		{"a value of another type", memory, map[string]any{"action": []any{"read"}, "scope": "mine"}, false},
		{"no arguments", memory, nil, false},
		{"a stranger that says it only reads", stranger, map[string]any{"action": "read", "scope": "mine"}, false},
		{"a tool that asks for each call", each, map[string]any{"action": "read", "scope": "mine"}, false},
	} {
		if got := p.Allows(tt.entry, tt.args); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	p.Grant(tool(nil, false))
	if !p.Allows(tool(nil, false), nil) {
		t.Error("a grant does not hold")
	}
	other := tool(nil, false)
	other.Name = "s__u"
	if p.Allows(other, nil) {
		t.Error("a grant holds for another tool")
	}
}
