package ui

import (
	"errors"
	"fmt"
	"strings"

	"goated/internal/chat"
	"goated/internal/store"
	"goated/ui/view"
)

// branches are the versions of an item, as turns to show, and which of them it
// is: of a message of the user, what was said otherwise; of an answer, those that
// were given to the same message.
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

func (w *Window) versionOf(item int) (at, of int) {
	turns, at := w.conversation().branches(item)
	return at, len(turns)
}

// turnVersion shows the version of an item that is so many before or after.
func (w *Window) turnVersion(item, by int) {
	turns, at := w.conversation().branches(item)
	if to := at + by; to >= 0 && to < len(turns) {
		w.turnTo(w.conversation(), turns[to])
	}
}

// turnLast shows another version of the last item that has several.
func (w *Window) turnLast(by int) {
	if item := w.lastVersions(); item >= 0 {
		w.turnVersion(item, by)
	}
}

func (w *Window) turnsVersions() bool { return w.lastVersions() >= 0 }

// lastVersions is the last item that has several versions and shows it; -1 if
// none does.
func (w *Window) lastVersions() int {
	c := w.conversation()
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

// turnTo shows the branch of a turn, to where it was shown before. What is in
// sight stays where it is.
func (w *Window) turnTo(c *conversation, turn string) {
	if c.busy() {
		return
	}
	c.visits.Leave(c.thread.turns)
	leaf := c.visits.Leaf(turn)
	w.reread(c, func() error {
		err := w.options.History.Activate(w.ctx, c.id, leaf)
		if errors.Is(err, store.ErrNotFound) && leaf != turn {
			err = w.options.History.Activate(w.ctx, c.id, turn)
		}
		return err
	}, nil)
}

// reread reads a conversation again, after do has changed what the history has of
// it, and then goes on. What is in sight stays where it is.
func (w *Window) reread(c *conversation, do func() error, then func()) {
	c.loading = true
	session := w.options.NewSession()
	w.begin(func() {
		err := do()
		var t thread
		var kept store.Thread
		if err == nil {
			kept, err = w.options.History.Thread(w.ctx, c.id)
			t = retold(kept)
		}
		w.post(func() {
			c.loading = false
			if err != nil {
				w.alert(err)
				return
			}
			c.take(session, t)
			c.title, c.branch = kept.Conversation.Title, 0
			if c == w.conversation() {
				y := w.transcript.scroll.Scroll.Offset.Y
				w.transcript.deselect()
				w.transcript.closeFind()
				w.transcript.stick = false
				w.refresh()
				if !w.arrive(c) {
					w.transcript.goTo(y)
				}
			}
			if then != nil {
				then()
			}
		})
	})
}

// versions are commands to show the other versions of what was said.
func (w *Window) versions() []command {
	var list []command
	c := w.conversation()
	for _, t := range c.thread.turns {
		for i, id := range t.Siblings {
			if id == t.ID {
				continue
			}
			text, _ := heard(t.User)
			list = append(list, command{
				ID: "version:" + id, Title: fmt.Sprintf("Version %d of %d: %s", i+1, len(t.Siblings), view.Cut(strings.TrimSpace(text), 40)),
				Group: groupChat, Icon: "retry", Detail: "Show", Run: func() { w.turnTo(c, id) },
			})
		}
	}
	return list
}
