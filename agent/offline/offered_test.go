package offline

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/agent/intent"
	"goated/agent/modeltest"
	"goated/agent/turntest"
	"goated/registry"
)

// forgetter returns a memory with a tool that forgets facts, like ghost.
func forgetter(own bool) (*turntest.Toolbox, map[string]string) {
	facts := map[string]string{"dentist appointment": "Monday", "dentist phone": "12"}
	b := &turntest.Toolbox{Run: func(_ context.Context, _ string, args map[string]any) (string, error) {
		key, _ := args["key"].(string)
		if _, ok := facts[key]; !ok {
			return fmt.Sprintf("Nothing is stored under the name %q.\nSimilar names:\n- dentist appointment\n- dentist phone", key), nil
		}
		delete(facts, key)
		return "Memory removed: " + key, nil
	}}
	b.Registry.Set("ghost", own, registry.Origin{}, []*mcp.Tool{{
		Name: "forget_fact", Title: "Forget a fact", Description: "Forget a fact: remove the value that was saved under a key.",
		Meta:        mcp.Meta{registry.OffersKey: map[string]any{"key": "Similar names:"}},
		Annotations: &mcp.ToolAnnotations{DestructiveHint: new(true)},
		InputSchema: object([]any{"key"}, map[string]any{"key": text()}),
	}})
	return b, facts
}

// forget runs one turn. It returns the arguments of each call that asked for approval, the
// questions, and the remaining facts.
func forget(t *testing.T, own bool, decision agent.Decision, choice string) (asked []map[string]any, questions []agent.Question, facts map[string]string) {
	t.Helper()
	box, facts := forgetter(own)
	model := &Model{Lookup: box.Lookup, Ask: func(_ context.Context, q agent.Question) (map[string]any, error) {
		questions = append(questions, q)
		if choice == "" {
			return nil, agent.ErrDeclined
		}
		return map[string]any{"tool": choice}, nil
	}}
	session := &agent.Session{Model: model, Tools: box, Policy: &agent.Policy{}, Approve: agent.ApproveOneByOne(func(_ context.Context, p agent.Pending) (agent.Answer, error) {
		asked = append(asked, maps.Clone(p.Call.Args))
		return agent.Answer{Decision: decision}, nil
	})}
	if _, err := modeltest.Collect(t.Context(), session, "forget my dentist"); err != nil {
		t.Fatal(err)
	}
	return asked, questions, facts
}

// If several facts match a request to forget something, the user chooses one of them. Each call
// still needs consent, and nothing is forgotten without it.
func TestOfflineOffersTheFactsToForget(t *testing.T) {
	asked, questions, facts := forget(t, true, agent.AllowOnce, "dentist phone")
	if want := []map[string]any{{"key": "dentist"}, {"key": "dentist phone"}}; !reflect.DeepEqual(asked, want) {
		t.Errorf("asked to allow %v, want %v", asked, want)
	}
	if len(questions) != 1 || len(questions[0].Choices) != 2 || questions[0].Choices[1] != (agent.Choice{Value: "dentist phone", Label: "dentist phone", Detail: "ghost"}) {
		t.Errorf("questions %+v", questions)
	}
	if want := map[string]string{"dentist appointment": "Monday"}; !maps.Equal(facts, want) {
		t.Errorf("left: %v", facts)
	}

	if asked, questions, facts := forget(t, true, agent.AllowOnce, ""); len(asked) != 1 || len(questions) != 1 || len(facts) != 2 {
		t.Errorf("nothing was chosen, but %v ran after %d questions, left %v", asked, len(questions), facts)
	}
	if asked, questions, facts := forget(t, true, agent.Deny, "dentist phone"); len(asked) != 1 || len(questions) != 0 || len(facts) != 2 {
		t.Errorf("nothing was allowed, but %v ran after %d questions, left %v", asked, len(questions), facts)
	}
	// The result of an untrusted server is only text: it cannot offer values.
	if asked, questions, _ := forget(t, false, agent.AllowOnce, "dentist phone"); len(asked) != 1 || len(questions) != 0 {
		t.Errorf("a stranger's result led to %d questions and the calls %v", len(questions), asked)
	}
}

// The first suggestions for a new user do not remove anything.
func TestSuggestionsRemoveNothing(t *testing.T) {
	box, _ := forgetter(true)
	if said, _ := planned(t, &Model{Lookup: box.Lookup}, box, "hello"); strings.Contains(strings.ToLower(said), "forget") {
		t.Errorf("hello: %q", said)
	}
	if said, _ := planned(t, &Model{Lookup: box.Lookup}, box, "what can you do?"); !strings.Contains(said, "Forget a fact") {
		t.Errorf("all tools: %q", said)
	}
	for _, name := range []string{"delete_file", "deleteFile", "DeleteFile", "delete-file", "delete.file", "delete"} {
		if said := suggest([]*declaredTool{{Tool: intent.Tool{Own: name, Title: "Zap"}}}); strings.Contains(said, "Zap") {
			t.Errorf("%s: %q", name, said)
		}
	}
	if said := suggest([]*declaredTool{{Tool: intent.Tool{Own: "deleted_files", Title: "Zap"}}}); !strings.Contains(strings.ToLower(said), "zap") {
		t.Errorf("deleted_files: %q", said)
	}
}

// The list of all tools names each server as the rest of the window does.
func TestListOfToolsNamesServers(t *testing.T) {
	box, _ := forgetter(true)
	said, _ := planned(t, &Model{Lookup: box.Lookup, Server: func(string) string { return "Ada's notes" }}, box, "what can you do?")
	if !strings.Contains(said, "**Ada's notes**") {
		t.Error(said)
	}
}
