package ui

import (
	"errors"
	"fmt"
	"strings"

	"goated/internal/chat"
	"goated/internal/store"
	"goated/ui/view"
)

// A versionNav shows the versions of messages and answers, and makes new ones.
type versionNav struct{ page *chatPage }

// branches are the versions of an item, as turns to show, and the index of the
// shown one: other texts of a message, or other answers to the same message.
func (c *conversation) branches(item int) (turns []string, at int) {
	of := c.thread.asked(item)
	if of < 0 || c.running() || item >= len(c.chat.Items) {
		return nil, 0
	}
	t := c.thread.turns[of]
	if _, own := c.chat.Items[item].(view.User); own {
		return c.visits.Messages(t)
	}
	return chat.Answers(t)
}

func (v *versionNav) versionOf(item int) (at, of int) {
	turns, at := v.page.conversation().branches(item)
	return at, len(turns)
}

// turnVersion shows another version of an item, by places away.
func (v *versionNav) turnVersion(item, by int) {
	turns, at := v.page.conversation().branches(item)
	if to := at + by; to >= 0 && to < len(turns) {
		v.turnTo(v.page.conversation(), turns[to])
	}
}

// turnLast does so for the last item that has versions.
func (v *versionNav) turnLast(by int) {
	if item := v.lastVersions(); item >= 0 {
		v.turnVersion(item, by)
	}
}

func (v *versionNav) turnsVersions() bool { return v.lastVersions() >= 0 }

// lastVersions is the last item that has several versions; -1 if none has.
func (v *versionNav) lastVersions() int {
	c := v.page.conversation()
	for i := min(c.thread.end, len(c.chat.Items)) - 1; i >= 0; i-- {
		_, own := c.chat.Items[i].(view.User)
		_, answer := c.chat.Items[i].(view.Answer)
		if own || answer {
			if turns, _ := c.branches(i); len(turns) > 1 {
				return i
			}
		}
	}
	return -1
}

// turnTo shows the branch of a turn, up to the end that was shown before. The
// scroll position stays.
func (v *versionNav) turnTo(c *conversation, turn string) {
	if c.busy() {
		return
	}
	c.visits.Leave(c.thread.turns)
	leaf := c.visits.Leaf(turn)
	v.page.loader.reread(c, func() error {
		err := v.page.history.Activate(v.page.shell.Ctx, c.saved.id, leaf)
		if errors.Is(err, store.ErrNotFound) && leaf != turn {
			err = v.page.history.Activate(v.page.shell.Ctx, c.saved.id, turn)
		}
		return err
	}, nil)
}

// reread reads a conversation again after do has changed it in the history, and
// then runs then. The scroll position stays.
func (l *loader) reread(c *conversation, do func() error, then func()) {
	c.read.loading = true
	session := l.page.on.NewSession()
	l.page.shell.Go(func() {
		err := do()
		var t thread
		var kept store.Thread
		if err == nil {
			kept, err = l.page.history.Thread(l.page.shell.Ctx, c.saved.id)
			t = retold(kept)
		}
		l.page.shell.Post(func() {
			c.read.loading = false
			if err != nil {
				l.page.shell.Alert(err)
				return
			}
			c.take(session, t)
			c.saved.title, c.branch = kept.Conversation.Title, 0
			if c == l.page.conversation() {
				y := l.page.transcript.Scroll.Scroll.Offset.Y
				l.page.transcript.Deselect()
				l.page.transcript.CloseFind()
				l.page.transcript.Stick = false
				l.page.refresh()
				if !l.page.search.arrive(c) {
					l.page.transcript.GoTo(y)
				}
			}
			if then != nil {
				then()
			}
		})
	})
}

// A version is another version of a message in the shown branch.
type version struct {
	id    string // of its turn
	title string
	open  func()
}

// all are the other versions of the messages of the shown branch.
func (v *versionNav) all() (list []version) {
	c := v.page.conversation()
	for _, t := range c.thread.turns {
		for i, id := range t.Siblings {
			if id == t.ID {
				continue
			}
			text, _ := heard(t.User)
			title := fmt.Sprintf("Version %d of %d: %s", i+1, len(t.Siblings), view.Cut(strings.TrimSpace(text), 40))
			list = append(list, version{id, title, func() { v.turnTo(c, id) }})
		}
	}
	return list
}
