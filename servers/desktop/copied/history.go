package copied

import (
	"slices"
	"sync"
	"time"
)

// maxEntries and maxKept limit the entries of a history and their total bytes. The newest entry is
// always kept.
const (
	maxEntries = 100
	maxKept    = 32 << 20
)

// An Entry is content that was read or written.
type Entry struct {
	Content Content
	At      time.Time
	Source  string // window class of the program from which it was copied; "" if unknown
}

// A History contains what passed through a clipboard. The zero value is empty. It is safe for
// concurrent use.
type History struct {
	mu   sync.Mutex
	list []Entry
}

// Add adds content to the history, unless it equals the newest entry.
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

// Entries returns up to 100 entries, newest first.
func (h *History) Entries() []Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.list)
}

// size returns the size of a content in bytes.
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
