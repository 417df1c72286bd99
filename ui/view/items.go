package view

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// items is an immutable list: each method returns a new list. The old and the new list share
// their settled items, so appending a piece of an answer costs as much after 50,000 items as
// after one. The zero value is empty.
type items struct {
	settled []Item        // rarely changed; the array may contain more items, which belong to later lists
	used    *atomic.Int64 // the number of used elements in the array of settled, across all lists that share it
	live    []Item        // the other items: those from the first call without a result on, or an item that may grow
	text    *growing      // the text of the last item
}

func itemsOf(list []Item) items {
	n := 0
	for n < len(list)-1 && !isOpenCall(list[n]) {
		n++
	}
	l := items{}.appendSettled(list[:n])
	l.live = slices.Clip(list[n:])
	return l
}

func (l items) len() int { return len(l.settled) + len(l.live) }

func (l items) at(i int) Item {
	if i < len(l.settled) {
		return l.settled[i]
	}
	return l.live[i-len(l.settled)]
}

func (l items) all() iter.Seq2[int, Item] {
	return func(yield func(int, Item) bool) {
		for i := range l.len() {
			if !yield(i, l.at(i)) {
				return
			}
		}
	}
}

func (l items) backward() iter.Seq2[int, Item] {
	return func(yield func(int, Item) bool) {
		for i := l.len() - 1; i >= 0; i-- {
			if !yield(i, l.at(i)) {
				return
			}
		}
	}
}

func (l items) list() []Item { return slices.Concat(l.settled, l.live) }

// add appends an item. It settles the items before the first call without a result.
func (l items) add(item Item) items {
	n := 0
	for n < len(l.live) && !isOpenCall(l.live[n]) {
		n++
	}
	rest := l.live[n:]
	l = l.appendSettled(l.live[:n])
	l.live, l.text = append(slices.Clone(rest), item), nil
	return l
}

// appendSettled appends to the settled items. It writes into the shared array if no other list has done
// so.
func (l items) appendSettled(list []Item) items {
	if len(list) == 0 {
		return l
	}
	from, to := int64(len(l.settled)), int64(len(l.settled)+len(list))
	if l.used == nil || to > int64(cap(l.settled)) || !l.used.CompareAndSwap(from, to) {
		l.settled = slices.Grow(slices.Clip(l.settled), len(list)+len(l.settled)/2) // allocates a new array
		l.used = new(atomic.Int64)
		l.used.Store(to)
	}
	l.settled = append(l.settled, list...)
	return l
}

// set replaces an item.
func (l items) set(i int, item Item) items {
	if k := i - len(l.settled); k >= 0 {
		l.live = slices.Clone(l.live)
		l.live[k] = item
		return l
	}
	if i == l.len()-1 { // it may change again
		l.settled, l.used, l.live = l.settled[:i:i], nil, []Item{item}
		return l
	}
	l.settled, l.used = slices.Clone(l.settled), nil
	l.settled[i] = item
	return l
}

// withoutLast removes the last item.
func (l items) withoutLast() items {
	l.text = nil
	if n := len(l.live); n > 0 {
		l.live = slices.Clip(l.live[:n-1])
		return l
	}
	l.settled, l.used = l.settled[:len(l.settled)-1:len(l.settled)-1], nil
	return l
}

// extend returns a list whose last item can grow, and the text of that item followed by more.
func (l items) extend(text, more string) (items, string) {
	if l.text == nil {
		l.text = &growing{}
	}
	whole, ok := l.text.extend(text, more)
	if !ok { // another list has extended it
		l.text = &growing{}
		whole, _ = l.text.extend(text, more)
	}
	return l, whole
}

// isOpenCall reports whether an item is a call without a result.
func isOpenCall(item Item) bool {
	card, ok := item.(Card)
	return ok && card.Open()
}

// A growing text shares its bytes with all its earlier versions. It is safe for concurrent use.
type growing struct {
	mu sync.Mutex
	b  strings.Builder
}

// extend returns text followed by more. It returns false if the growing text no longer equals
// text.
func (g *growing) extend(text, more string) (string, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.b.Len() == 0 {
		g.b.WriteString(text)
	}
	if g.b.Len() != len(text) {
		return "", false
	}
	g.b.WriteString(more)
	return g.b.String(), true
}
