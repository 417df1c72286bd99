package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
)

// With a full disk each call says so, and what was acknowledged before is there;
// with room again, it goes on.
func TestFullDisk(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.db.SetMaxOpenConns(1) // the limit is one of a connection
	c, err := s.Create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Begin(ctx, c.ID, "", []*genai.Part{{Text: "a question"}})
	if err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := s.db.QueryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) {
		if err := s.db.QueryRow(fmt.Sprintf(`PRAGMA max_page_count = %d`, n)).Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Record(ctx, agent.TextDelta{Text: "held back"}); err != nil {
		t.Fatal(err)
	}
	limit(pages)
	huge := strings.Repeat("much ", 100_000)
	_, begun := s.Begin(ctx, c.ID, r.ID, []*genai.Part{{Text: huge}})
	for what, err := range map[string]error{
		"begin":    begun,
		"record":   r.Record(ctx, agent.ToolReturned{Error: huge}),
		"text":     r.Record(ctx, agent.TextDelta{Text: huge}),
		"contents": r.Contents(ctx, []*genai.Content{{Role: genai.RoleModel, Parts: []*genai.Part{{Text: huge}}}}),
		"draft":    s.SetDraft(ctx, c.ID, huge),
	} {
		if !errors.Is(err, ErrFull) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got, err := s.Thread(ctx, c.ID); err != nil || len(got.Turns) != 1 || got.Turns[0].User[0].Text != "a question" {
		t.Fatalf("%+v, %v", got, err)
	}
	limit(1 << 20)
	if err := errors.Join(r.Record(ctx, agent.TextDelta{Text: " and kept"}), r.End(ctx, nil)); err != nil {
		t.Fatal(err)
	}
	got, err := s.Thread(ctx, c.ID)
	if err != nil || len(got.Turns[0].Events) != 1 || got.Turns[0].Events[0] != (agent.TextDelta{Text: "held back and kept"}) {
		t.Fatalf("%+v, %v", got.Turns, err)
	}
}
