package agent

import (
	"encoding/json"
	"testing"

	"google.golang.org/genai"
	"pgregory.net/rapid"
)

// What Added gives of each turn, behind what the user said, makes the same
// history again: also of turns that were cancelled or failed.
func TestPropertyRestoreIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]*genai.Part{
			genai.NewPartFromText("a"),
			{ThoughtSignature: []byte("sig")},
			{Text: "hm", Thought: true},
			{FunctionCall: &genai.FunctionCall{Name: "box__ok", Args: map[string]any{"n": 1.0}}, ThoughtSignature: []byte("s")},
		})
		box := tools(echo, "ok")
		session := &Session{Tools: box, Approve: allowAll, MaxSteps: 3}
		var kept []*genai.Content
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			session.Model = &script{answers: rapid.SliceOfN(rapid.SliceOfN(part, 1, 3), 0, 3).Draw(t, "answers")}
			stop := rapid.IntRange(0, 8).Draw(t, "stop at event")
			said := genai.NewPartFromText("hi")
			n := 0
			for _, err := range session.Send(t.Context(), said) {
				if n++; err != nil || n > stop {
					break
				}
			}
			kept = append(kept, &genai.Content{Role: genai.RoleUser, Parts: []*genai.Part{said}})
			kept = append(kept, session.Added()...)
		}
		// Through the store it goes as JSON.
		data, err := json.Marshal(kept)
		if err != nil {
			t.Fatal(err)
		}
		var read []*genai.Content
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		again := &Session{}
		again.Restore(read)
		want, _ := json.Marshal(session.History())
		got, _ := json.Marshal(again.History())
		if string(got) != string(want) {
			t.Fatalf("restored\n%s\nwant\n%s", got, want)
		}
	})
}

// goated was killed while a call ran, or before the results were kept.
func TestRestoreMendsWhatWasCutOff(t *testing.T) {
	call := &genai.Part{FunctionCall: &genai.FunctionCall{ID: "1", Name: "box__x"}}
	session := &Session{}
	session.Restore([]*genai.Content{
		{Role: genai.RoleUser, Parts: []*genai.Part{genai.NewPartFromText("one")}},
		{Role: genai.RoleModel, Parts: []*genai.Part{call, call}},
		{Role: genai.RoleUser, Parts: []*genai.Part{genai.NewPartFromText("two")}},
		{Role: genai.RoleModel, Parts: []*genai.Part{call}},
	})
	if err := checkHistory(session.History()); err != nil {
		t.Error(err)
	}
	if n := len(session.History()); n != 6 {
		t.Errorf("%d contents", n)
	}
}
