package chats

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"goated/internal/store"
	"goated/ui/view"
	"goated/ui/view/format"
)

// A follower updates the page when other processes, for example "goated chat", change the
// history. It compares successive lists of the history, so that it ignores changes that the
// window itself is about to make.
type follower struct {
	loader *loader
	ready  bool                          // the page has the saved conversations
	last   map[string]store.Conversation // the last list of the history; nil: not read yet
}

// Follow watches the history until the window closes.
func (f *follower) Follow() {
	page := f.loader.page
	for range page.History.Store.Changes(page.shell.Ctx) {
		if unwritten(page.History.Store) {
			continue // until it is written, which causes another change
		}
		if list, err := page.History.Store.Conversations(page.shell.Ctx); err == nil {
			page.shell.Post(func() { f.compare(list) })
		}
	}
}

// unwritten reports whether the window shows something that the history does not contain yet.
func unwritten(s *store.Store) bool {
	for why := range s.Pending(context.Background()) {
		return why != nil
	}
	return false
}

// compare updates the page to the conversations in the history.
func (f *follower) compare(list []store.Conversation) {
	if !f.ready {
		return // Recall reads a newer list
	}
	p := f.loader.page
	have := make(map[string]*Conversation, len(p.Chats))
	for _, c := range p.Chats {
		if c.Saved.ID != "" {
			have[c.Saved.ID] = c
		}
	}
	before, now, changed := f.last, make(map[string]store.Conversation, len(list)), false
	for _, kept := range slices.Backward(list) { // the most recently used conversation comes last
		now[kept.ID] = kept
		if c := have[kept.ID]; c != nil {
			changed = f.update(c, kept) || changed
		} else if (kept.Active != "" || kept.Title != "") && !f.discarded(kept.ID) && !f.changing(kept.ID) { // a mere draft stays in its window
			p.Chats = append(p.Chats, Remembered(kept))
			changed = true
		}
	}
	for _, c := range slices.Clone(p.Chats) {
		_, was := before[c.Saved.ID]
		if _, is := now[c.Saved.ID]; was && !is && !f.changing(c.Saved.ID) {
			changed = f.remove(c) || changed
		}
	}
	f.last = now
	if changed {
		p.Sort()
		p.Refresh()
	}
}

// update applies the changes of a conversation. It reports whether there were any.
func (f *follower) update(c *Conversation, kept store.Conversation) (changed bool) {
	if c.Running() || c.Read.Loading || c.Read.lost {
		return false // the window reads it when that ends
	}
	before, known := f.last[kept.ID]
	if kept.Title != c.Saved.Title && !(known && before.Title == kept.Title) {
		c.Saved.Title, changed = kept.Title, true
	}
	if kept.Pinned != c.Saved.Pinned && !(known && before.Pinned == kept.Pinned) {
		c.Saved.Pinned, changed = kept.Pinned, true
	}
	if said := view.PreviewLine(kept.Preview); !c.Read.Loaded && said != c.Saved.Preview {
		c.Saved.Preview, changed = said, true
	}
	grown := c.Read.Loaded && c.readLast() && kept.Stamp != c.Thread.stamp && kept.Stamp != before.Stamp
	switch {
	case kept.Active == c.Saved.Active && grown:
		f.catchUp(c) // another process adds to the last turn
		return changed
	case kept.Active == c.Saved.Active, known && before.Active == kept.Active:
		return changed
	}
	if used := kept.Used; !known || before.Used != used { // choosing another version does not count as use
		c.Began, c.Saved.Order = kept.Updated, f.loader.page.Later()
	}
	if c.Read.Loaded {
		f.catchUp(c)
	} else {
		c.Saved.Active = kept.Active
	}
	return true
}

// readLast reports whether the window read the last turn from the history. For a turn that ran in
// this window, the window has more information, for example advice after a failure.
func (c *Conversation) readLast() bool {
	n := len(c.Thread.Turns)
	return n > 0 && c.Thread.Turns[n-1].ID == c.Saved.Active
}

// catchUp reads a conversation again that another process continues. In the meantime the user may
// write, edit and scroll. A turn without an end is still running in that process.
func (f *follower) catchUp(c *Conversation) {
	p := f.loader.page
	if c.busy() || c.Read.lost {
		return
	}
	taken := c.Read.taken
	p.shell.Go(func() {
		if unwritten(p.History.Store) {
			return
		}
		kept, err := p.History.Store.Thread(p.shell.Ctx, c.Saved.ID)
		t := restoreLive(kept)
		p.shell.Post(func() {
			if err != nil || c.busy() || c.Read.lost || c.Read.taken != taken {
				return // it was sent, read or deleted in the meantime
			}
			f.loader.take(c, t)
			c.Saved.Title = cmp.Or(kept.Conversation.Title, c.Saved.Title)
			if c != p.Conversation() {
				p.Side.List()
				return
			}
			y, end := p.Transcript.View.Scroll.Scroll.Offset.Y, p.Transcript.View.Stick
			p.Refresh()
			if !end {
				p.Transcript.View.GoTo(y)
			}
		})
	})
}

// discarded reports whether the user deleted a conversation in this window.
func (f *follower) discarded(id string) bool {
	return slices.ContainsFunc(f.loader.page.History.Trash.Removed, func(gone *removal) bool { return gone.c != nil && gone.turn == "" && gone.c.Saved.ID == id })
}

// changing reports whether this window is deleting a conversation or bringing it back.
func (f *follower) changing(id string) bool {
	return slices.ContainsFunc(f.loader.page.History.Trash.changing, func(c *Conversation) bool { return c.Saved.ID == id })
}

// remove removes a conversation from the sidebar that another process deleted. It keeps a
// conversation with unsent text. It reports whether it removed the conversation.
func (f *follower) remove(c *Conversation) bool {
	p := f.loader.page
	if c.Running() || c.Read.Loading || c.draft != "" || len(c.Files) > 0 || len(c.waits.queue) > 0 || len(c.asks) > 0 {
		return false
	}
	shown := c == p.Conversation()
	p.History.Trash.drop(c)
	if shown {
		p.History.Trash.offerUndo(removal{c: c}, fmt.Sprintf("Another goated deleted “%s”.", format.Cut(c.Heading(), 40)))
	}
	return true
}

// tell informs the user that their message follows messages from another process. It is safe to
// call from any goroutine.
func (f *follower) tell() {
	s := f.loader.page.shell
	s.Post(func() {
		s.Toasts.Say("info", "Another window or terminal continued this conversation. Your message comes after that.")
	})
}
