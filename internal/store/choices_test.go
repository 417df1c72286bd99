package store

import (
	"bytes"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
)

// The choices of a conversation survive a restart, an export and an import. Unreadable choices do not
// hide the conversation.
func TestChoicesAreKept(t *testing.T) {
	path := t.TempDir() + "/history.db"
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := Choices{Model: "qwen3:14b", Service: "http://127.0.0.1:11434/v1", Instructions: "Answer in French.\n"}
	if err := s.SetChoices(t.Context(), c.ID, want); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.ExportJSON(t.Context(), &out, c.ID); err != nil {
		t.Fatal(err)
	}
	ids, err := s.Import(t.Context(), &out, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, id := range append(ids, c.ID) {
		if thread, err := s.Thread(t.Context(), id); err != nil || thread.Conversation.Choices != want {
			t.Errorf("%s has %+v, %v", id, thread.Conversation.Choices, err)
		}
	}
	if decodeChoices("{") != (Choices{}) {
		t.Error("unreadable choices")
	}
	if err := s.SetChoices(t.Context(), c.ID, Choices{}); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Conversations(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

// The marks of a branch do not include those of another branch.
func TestMarksFollowTheBranch(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir()+"/history.db")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	c, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	add := func(parent string, message []*genai.Part, events ...agent.Event) string {
		r, err := s.Begin(t.Context(), c.ID, parent, message)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if err := r.Record(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.End(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	first := add("", []*genai.Part{{Text: "one"}})
	add(first, nil, agent.ContextCompacted{Contents: 1, Summary: "s"}, agent.TurnEnded{Reason: agent.Done})
	thread, err := s.Thread(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if marks := thread.Marks(); len(marks) != 1 || marks[0].(agent.ContextCompacted).Summary != "s" || thread.Conversation.Title != "one" {
		t.Errorf("%+v, %+v", marks, thread.Conversation)
	}
	add(first, []*genai.Part{{Text: "two"}})
	if thread, err = s.Thread(t.Context(), c.ID); err != nil || len(thread.Marks()) != 0 || len(thread.Turns) != 2 {
		t.Errorf("another branch has %+v, %v", thread.Marks(), err)
	}
}
