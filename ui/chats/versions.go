package chats

import (
	"errors"
	"fmt"
	"strings"

	"goated/internal/chat"
	"goated/internal/store"
	"goated/ui/view"
	"goated/ui/view/format"
)

// A versionPager shows the versions of messages and answers, and creates new versions.
type versionPager struct {
	page *Page
	of   *Conversation // the conversation in which the user edits a message
	now  *unfinished   // the edit, which may have ended since then
}

// branches returns the versions of an item, as turns to show, and the index of the shown version.
// The versions are other texts of a message, or other answers to the same message.
func (c *Conversation) branches(item int) (turns []string, at int) {
	of := c.Thread.asked(item)
	if of < 0 || c.Running() || item >= c.Chat.Len() {
		return nil, 0
	}
	t := c.Thread.Turns[of]
	if _, own := c.Chat.At(item).(view.User); own {
		return c.visits.MessageVersions(t)
	}
	return chat.AnswerVersions(t)
}

func (v *versionPager) versionOf(item int) (at, of int) {
	turns, at := v.page.Conversation().branches(item)
	return at, len(turns)
}

// showVersion shows another version of an item. by is the distance to that version.
func (v *versionPager) showVersion(item, by int) {
	turns, at := v.page.Conversation().branches(item)
	if to := at + by; to >= 0 && to < len(turns) {
		v.showBranch(v.page.Conversation(), turns[to])
	}
}

// ShowLastVersion shows another version of the last item that has several.
func (v *versionPager) ShowLastVersion(by int) {
	if item := v.lastVersions(); item >= 0 {
		v.showVersion(item, by)
	}
}

func (v *versionPager) HasVersions() bool { return v.lastVersions() >= 0 }

// lastVersions returns the last item that has several versions, or -1 if there is none.
func (v *versionPager) lastVersions() int {
	c := v.page.Conversation()
	for i := min(c.Thread.End, c.Chat.Len()) - 1; i >= 0; i-- {
		_, own := c.Chat.At(i).(view.User)
		_, answer := c.Chat.At(i).(view.Answer)
		if own || answer {
			if turns, _ := c.branches(i); len(turns) > 1 {
				return i
			}
		}
	}
	return -1
}

// showBranch shows the branch of a turn, up to the end that was last shown on that branch. It
// keeps the scroll position.
func (v *versionPager) showBranch(c *Conversation, turn string) {
	if c.busy() {
		return
	}
	c.visits.Record(c.Thread.Turns)
	leaf := c.visits.Leaf(turn)
	v.page.History.Loader.reread(c, func() error {
		err := v.page.History.Store.Activate(v.page.shell.Ctx, c.Saved.ID, leaf)
		if errors.Is(err, store.ErrNotFound) && leaf != turn {
			err = v.page.History.Store.Activate(v.page.shell.Ctx, c.Saved.ID, turn)
		}
		return err
	}, nil, nil)
}

// reread runs do, which changes a conversation in the history, reads the conversation again, and
// then runs then. It keeps the scroll position. After an error, it runs failed, unless that is nil.
func (l *loader) reread(c *Conversation, do func() error, then, failed func()) {
	c.Read.Loading = true
	l.page.shell.Go(func() {
		err := do()
		var t Thread
		var kept store.Thread
		if err == nil {
			kept, err = l.page.History.Store.Thread(l.page.shell.Ctx, c.Saved.ID)
			t = restore(kept)
		}
		l.page.shell.Post(func() {
			c.Read.Loading = false
			if err != nil {
				l.page.shell.Alert(err)
				if failed != nil {
					failed()
				}
				return
			}
			l.take(c, t)
			c.Saved.Title = kept.Conversation.Title
			if c == l.page.Conversation() {
				y := l.page.Transcript.View.Scroll.Scroll.Offset.Y
				l.page.Transcript.Selection.Deselect()
				l.page.Transcript.Find.Close()
				l.page.Transcript.View.Stick = false
				l.page.Refresh()
				if !l.page.Search.arrive(c) {
					l.page.Transcript.View.GoTo(y)
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
	ID    string // the id of its turn
	Title string
	Open  func()
}

// All returns the other versions of the messages in the shown branch.
func (v *versionPager) All() (list []version) {
	c := v.page.Conversation()
	for _, t := range c.Thread.Turns {
		for i, id := range t.Siblings {
			if id == t.ID {
				continue
			}
			text, _ := splitMessage(t.User)
			title := fmt.Sprintf("Version %d of %d: %s", i+1, len(t.Siblings), format.Cut(strings.TrimSpace(text), 40))
			list = append(list, version{id, title, func() { v.showBranch(c, id) }})
		}
	}
	return list
}
