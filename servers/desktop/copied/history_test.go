package copied

import (
	"strings"
	"testing"
)

// The history stays within its limit of bytes, but always keeps the newest entry.
func TestHistoryIsBounded(t *testing.T) {
	b := new(History)
	for i := range 40 {
		b.Add(Content{Kind: Text, Text: strings.Repeat("x", 2<<20+i)}, "")
	}
	total := 0
	for _, e := range b.Entries() {
		total += e.Content.size()
	}
	if n := len(b.Entries()); n != 15 || total > maxKept || b.Entries()[0].Content.size() != 2<<20+39 {
		t.Errorf("%d entries with %d bytes", n, total)
	}
	b.Add(Content{Kind: Image, Data: make([]byte, maxKept+1)}, "")
	if h := b.Entries(); len(h) != 1 || h[0].Content.Kind != Image {
		t.Errorf("%d entries", len(h))
	}
}
