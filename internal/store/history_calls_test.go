package store_test

import (
	"path/filepath"
	"testing"

	"google.golang.org/genai"

	"goated/internal/store"
)

// Two calls of one tool without ids each keep their response, in order.
func TestCallsWithoutIDsKeepTheirResponses(t *testing.T) {
	t.Parallel()
	call := &genai.Part{FunctionCall: &genai.FunctionCall{Name: "box__read"}}
	response := func(output string) *genai.Part {
		return genai.NewPartFromFunctionResponse("box__read", map[string]any{"output": output})
	}
	asked := &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{call, call, call}}
	for _, tt := range []struct {
		name string
		got  []*genai.Part
		want []string // the output of each response; "" if the call was interrupted
	}{
		{"all", []*genai.Part{response("one"), response("two"), response("three")}, []string{"one", "two", "three"}},
		{"the first two", []*genai.Part{response("one"), response("two")}, []string{"one", "two", ""}},
		{"none", nil, []string{"", "", ""}},
	} {
		turn := store.Turn{User: []*genai.Part{{Text: "read"}}, Contents: []*genai.Content{asked}}
		if tt.got != nil {
			turn.Contents = append(turn.Contents, &genai.Content{Role: genai.RoleUser, Parts: tt.got})
		}
		history := store.Thread{Turns: []store.Turn{turn}}.History()
		if len(history) != 3 || len(history[2].Parts) != len(tt.want) {
			t.Fatalf("%s: the history is %s", tt.name, show(t, history))
		}
		for i, want := range tt.want {
			r := history[2].Parts[i].FunctionResponse
			output, _ := r.Response["output"].(string)
			if _, interrupted := r.Response["error"]; output != want || interrupted != (want == "") {
				t.Errorf("%s: response %d is %v, want %q", tt.name, i, r.Response, want)
			}
		}
	}
}

// A turn keeps the names of the user's files. The history for the model omits them, because the Gemini
// API refuses them.
func TestHistoryLeavesOutFileNames(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	file := &genai.Part{InlineData: &genai.Blob{Data: []byte{1}, MIMEType: "image/png", DisplayName: "a.png"}}
	r, err := s.Begin(t.Context(), c.ID, "", []*genai.Part{{Text: "What is it?"}, file})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.End(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	th := thread(t, s, c.ID)
	if got := th.Turns[0].User[1].InlineData.DisplayName; got != "a.png" {
		t.Errorf("the turn keeps the name %q", got)
	}
	if got := th.History()[0].Parts[1].InlineData; got.DisplayName != "" || got.MIMEType != "image/png" || len(got.Data) != 1 {
		t.Errorf("the model gets %+v", got)
	}
}
