package artifacts_test

import (
	"context"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"

	"goated/servers/llmem/browse"
)

// A slowly is a workspace whose files are not read yet when the first questions come.
type slowly struct {
	browse.Workspace
	early *atomic.Int32
}

func (s slowly) Symbols(ctx context.Context, words []string, most int) ([]browse.Place, bool, error) {
	if s.early.Add(-1) >= 0 {
		return nil, false, nil
	}
	return s.Workspace.Symbols(ctx, words, most)
}

func (s slowly) Imports(ctx context.Context) (browse.Imports, error) {
	if s.early.Add(-1) >= 0 {
		return browse.Imports{Pending: 9}, nil
	}
	return s.Workspace.Imports(ctx)
}

// The search field finds symbols too. A press shows the file with the symbol in its outline.
// The search waits only briefly for files that are not read yet. It used to keep the symbols of those
// that were, until the user typed again.
func TestTheSearchFindsSymbols(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.early.Store(20) // each typed character searches
	d.Enter("Find a file or a symbol", "queue next")
	d.Until("the method is found", func() bool { return d.Reads("Queue.Next") && d.Reads("queue.go") })
	d.Press("Queue.Next")
	d.Until("its file is shown", func() bool { return d.Says("the outline is up to date") && d.Reads("Queue") })
	d.Look("artifacts-symbol")
	d.Enter("Find a file or a symbol", "encode")
	d.Until("the function is found", func() bool { return d.Count("encode") > 0 && !d.Reads("Queue.Next") })
	d.Key(fyne.KeyReturn)
	d.Until("it is chosen", func() bool { return d.Says("the outline is up to date") })
	d.Enter("Find a file or a symbol", "nothing like it")
	d.Until("nothing is found", func() bool { return !d.Reads("encode") || d.Count("encode") == 1 })
	d.Enter("Find a file or a symbol", "")
	if !d.Reads("README.md") {
		t.Errorf("the tree is not back: %q", d.Texts())
	}
}

// The end of a run read the old folder again, which discarded the folder that was being opened.
func TestAFolderOpensAfterARunStops(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.answer = func(ctx context.Context, _ string) (string, error) { <-ctx.Done(); return "", ctx.Err() }
	d.Press(d.Find("Write 13 · "))
	d.Until("the run begins", func() bool { return d.Says("Stop · 0 of 13 written") })
	d.opens = make(chan struct{})
	d.Press("~/trip-planner")
	d.Press("Open a folder…")
	d.Until("the run ends", func() bool { return d.Says("Stopped. 0 summaries are written") })
	d.Key(fyne.KeyF5)
	close(d.opens)
	d.Until("the folder is open", func() bool { return len(d.kept) == 1 })
	d.Until("the tree is shown", func() bool { return d.Reads("README.md") && !d.Says("Opening ") })
}
