package chat_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/chat"
)

// A summary, and undoing it, leave all messages and answers in the saved history.
func TestCompactionKeepsTheLastAnswer(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	session := &agent.Session{Tools: tool{}, Model: &model{says(strings.Repeat("long words of the first answer ", 400)), says("the second answer"), says("a summary")}}
	var id chat.Identity
	parent := ""
	for _, text := range []string{"the first question", "the second question"} {
		turn := chat.Turn{
			Session: session, History: s, Conversation: &id, Parent: parent, Parts: []*genai.Part{{Text: text}},
			OnBegin: func(id, _ string) { parent = id },
		}
		for _, err := range turn.Run(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, undo := range []bool{false, true} {
		c := chat.Compaction{Session: session, Undo: undo, History: s, Conversation: &id, Parent: parent, OnBegin: func(id string) { parent = id }}
		if _, err := c.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		thread, err := s.Thread(t.Context(), id.ID())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := words(thread.History()), words(session.History()); !slices.Equal(got, want) || len(got) != 4 {
			t.Errorf("undo %t: the saved history is %q, and the session has %q", undo, got, want)
		}
	}
}

// words returns the role and the text of each content.
func words(history []*genai.Content) (list []string) {
	for _, c := range history {
		list = append(list, c.Role+": "+c.Parts[0].Text)
	}
	return list
}
