package chats

import (
	"path/filepath"
	"slices"
	"testing"

	"goated/internal/store"
	"goated/ui/shell"
)

// Two choices in a row were saved at the same time. If the older write came last, goated forgot
// the newer choice at the next start.
func TestTheNewestChoiceIsSaved(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "history.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kept, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var work []func()
	p := &Page{History: archive{Store: s}, shell: &shell.Shell{
		Ctx: t.Context(), Go: func(f func()) { work = append(work, f) }, Post: func(f func()) { f() },
	}}
	p.Choices = &choices{p}
	c := Remembered(kept)
	for _, text := range []string{"old", "new"} {
		c.Saved.Choices.Instructions = text
		p.Choices.save(c)
	}
	for _, write := range slices.Backward(work) {
		write()
	}
	list, err := s.Conversations(t.Context())
	if err != nil || list[0].Choices.Instructions != "new" || c.Saved.unkept {
		t.Errorf("%+v, %v, unsaved: %t", list, err, c.Saved.unkept)
	}
}
