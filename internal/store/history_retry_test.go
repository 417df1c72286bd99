package store_test

import (
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
)

// A turn without a message repeats a turn that failed. The history contains its answer, and not the
// text before the failure. Until then the text stays, with a mark.
func TestHistoryOfARetry(t *testing.T) {
	ask, half, whole := genai.NewContentFromText("ask", genai.RoleUser), genai.NewContentFromText("half", genai.RoleModel), genai.NewContentFromText("whole", genai.RoleModel)
	failed := store.Turn{User: ask.Parts, Contents: []*genai.Content{ask, half}, Error: "The answer broke off."}
	before := store.Thread{Turns: []store.Turn{failed}}
	if h := before.History(); len(h) != 2 || h[1] != half {
		t.Errorf("after the failure: %s", show(t, h))
	}
	if marks := before.Marks(); len(marks) != 1 || marks[0] != (agent.AnswerDiscarded{Kind: agent.AnswerCut}) {
		t.Errorf("the marks are %+v", marks)
	}
	after := store.Thread{Turns: []store.Turn{failed, {Contents: []*genai.Content{whole}}}}
	if h := after.History(); len(h) != 2 || h[1] != whole {
		t.Errorf("after a retry: %s", show(t, h))
	}
	if marks := after.Marks(); len(marks) != 0 {
		t.Errorf("the marks after a retry are %+v", marks)
	}
}
