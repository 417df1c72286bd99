package copied

import (
	"slices"
	"sync"
	"time"
)

// maxEntries and maxKept are the most that a history holds: entries, and bytes of all. The
// newest entry is held in any case.
const (
	maxEntries = 100
	maxKept    = 32 << 20
)

// An Entry is something that was read or written.
type Entry struct {
	Content Content
	At      time.Time
	Source  string // the class of the program that it was copied in; "" if unknown
}

// A History is what passed through a clipboard. The zero value is empty. Its methods can be
// called concurrently.
type History struct {
	mu   sync.Mutex
	list []Entry
}

// Add adds to the history, unless it is its newest entry.
func (h *History) Add(c Content, source string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.list) > 0 && equal(h.list[0].Content, c) {
		return
	}
	h.list = append([]Entry{{c, time.Now(), source}}, h.list[:min(len(h.list), maxEntries-1)]...)
	bytes := 0
	for i, e := range h.list {
		if bytes += e.Content.size(); bytes > maxKept && i > 0 {
			h.list = slices.Clone(h.list[:i])
			break
		}
	}
}

// Entries lists what was read and written, the newest first; at most 100.
func (h *History) Entries() []Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.list)
}

// size returns how many bytes a content has.
func (c Content) size() int {
	n := len(c.Text) + len(c.Data)
	for _, f := range c.Files {
		n += len(f)
	}
	return n
}

func equal(a, c Content) bool {
	return a.Kind == c.Kind && a.Text == c.Text && string(a.Data) == string(c.Data) && slices.Equal(a.Files, c.Files)
}
