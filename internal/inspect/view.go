package inspect

import "slices"

// A View is the list of the log entries that a filter selects. An update costs only as much as the
// changes since the last one. A View belongs to one goroutine, while the log may change at any
// time.
type View struct {
	log    *Log
	filter Filter
	seqs   []uint64 // of the selected entries, oldest first
	next   uint64   // the first entry that was not examined yet
	dirty  []uint64 // entries that changed since then; guarded by log.mu
	passed int      // how many times the log was cleared, as far as the view has noticed
}

// View returns a view of all selected entries. A filter with a text reads all data of the log,
// which may take a while. The caller must call End.
func (l *Log) View(f Filter) *View {
	v := &View{log: l, filter: f}
	l.mu.Lock()
	l.views = append(l.views, v)
	l.mu.Unlock()
	v.Update()
	return v
}

// End stops the log from recording changes for v.
func (v *View) End() {
	v.log.mu.Lock()
	defer v.log.mu.Unlock()
	v.log.views = slices.DeleteFunc(v.log.views, func(o *View) bool { return o == v })
	v.dirty = nil
}

// Filter returns the filter of the view.
func (v *View) Filter() Filter { return v.filter }

// Len returns the number of selected entries at the last update.
func (v *View) Len() int { return len(v.seqs) }

// At returns the selected entry i, counted from the newest. It returns false for an entry that the
// log has dropped since the last update.
func (v *View) At(i int) (Entry, bool) { return v.log.Get(v.seqs[len(v.seqs)-1-i]) }

// Index returns the index of an entry, counted from the newest, or -1 if it is not selected.
func (v *View) Index(seq uint64) int {
	i, found := slices.BinarySearch(v.seqs, seq)
	if !found {
		return -1
	}
	return len(v.seqs) - 1 - i
}

// Update brings the view up to date. added is the number of newer entries at its top. changed
// reports whether anything else may look different.
func (v *View) Update() (added int, changed bool) {
	l := v.log
	l.mu.Lock()
	if v.passed != l.cleared {
		v.passed, v.seqs, changed = l.cleared, nil, true
	}
	first := l.seq
	if len(l.entries) > l.first {
		first = l.entries[l.first].Seq
	}
	v.next = max(v.next, first)
	fresh := make([]Entry, 0, l.seq-v.next)
	for _, e := range l.entries[l.index(v.next):] {
		fresh = append(fresh, *e)
	}
	var old []Entry
	for _, seq := range v.dirty {
		if e := l.get(seq); e != nil && seq < v.next {
			old = append(old, *e)
		}
	}
	v.dirty, v.next = v.dirty[:0], l.seq
	l.mu.Unlock() // searching the data takes long

	if drop, _ := slices.BinarySearch(v.seqs, first); drop > 0 {
		v.seqs, changed = v.seqs[drop:], true
	}
	for _, e := range old {
		i, listed := slices.BinarySearch(v.seqs, e.Seq)
		switch match := v.filter.Match(e); {
		case match && !listed:
			v.seqs = slices.Insert(v.seqs, i, e.Seq)
		case !match && listed:
			v.seqs = slices.Delete(v.seqs, i, i+1)
		}
		changed = true
	}
	for _, e := range fresh {
		if v.filter.Match(e) {
			v.seqs = append(v.seqs, e.Seq)
			added++
		}
	}
	return added, changed
}

// index returns the index of the first entry whose number is at least seq. The caller holds l.mu.
func (l *Log) index(seq uint64) int {
	if len(l.entries) == l.first {
		return len(l.entries)
	}
	if first := l.entries[l.first].Seq; seq > first {
		return min(l.first+int(seq-first), len(l.entries)) // the numbers have no gaps
	}
	return l.first
}

// get returns an entry, or nil if it was dropped. The caller holds l.mu.
func (l *Log) get(seq uint64) *Entry {
	if i := l.index(seq); i < len(l.entries) && l.entries[i].Seq == seq {
		return l.entries[i]
	}
	return nil
}

// Get returns the entry with a number. It returns false if the entry was dropped.
func (l *Log) Get(seq uint64) (Entry, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.get(seq); e != nil {
		return *e, true
	}
	return Entry{}, false
}

// Clear removes all entries and statistics, but keeps the definitions of the tools.
func (l *Log) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries, l.first, l.frames, l.bytes, l.dropped = nil, 0, 0, 0, 0
	clear(l.open)
	clear(l.early)
	clear(l.seen.servers)
	clear(l.seen.methods)
	for at, f := range l.figures {
		l.figures[at] = &figure{tokens: f.tokens}
	}
	l.cleared++
}

// Define sets the definition of a tool, in JSON, and returns the estimate of its tokens. A log that
// began after tools/list has not seen the definition.
func (l *Log) Define(server, name string, definition []byte) int {
	n := tokens(definition)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.start()
	l.figure(server, name).tokens = n
	return n
}
