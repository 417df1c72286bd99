package debounce

import (
	"context"
	"testing"
)

// Merge combines a value with a pending one. The first value has nothing to merge with.
func TestMergeOnlyWhatWaits(t *testing.T) {
	merges := 0
	var written []int
	w := New(Options[string, int]{
		Merge: func(older, newer int) int { merges++; return 10*older + newer },
		Write: func(_ context.Context, _ string, value int) error { written = append(written, value); return nil },
		Fail:  func(err error) { t.Error(err) },
	})
	w.Put("k", 1)
	if merges != 0 {
		t.Errorf("the first value was merged %d times", merges)
	}
	w.Put("k", 2)
	w.Flush(t.Context())
	w.Put("k", 3)
	w.Flush(t.Context())
	if merges != 1 || len(written) != 2 || written[0] != 12 || written[1] != 3 {
		t.Errorf("%d merges, written are %v", merges, written)
	}
}
