package ui

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/ui/view"
)

// errInterrupted stands at the end of a turn that goated itself cut off.
var errInterrupted = errors.New("goated ended while this turn was under way")

// A thread is a conversation as it is kept, made ready to be shown and gone on
// with.
type thread struct {
	chat    view.Chat
	turns   []store.Turn // of the branch that is shown
	starts  []int        // where the items of each turn begin
	history []*genai.Content
}

// retold folds what is kept as the live turns were folded. A turn that has no
// end, and is not under way, was cut off.
func retold(t store.Thread) thread {
	out := thread{turns: t.Turns, history: t.History()}
	for _, turn := range t.Turns {
		out.chat = out.chat.Retract()
		out.starts = append(out.starts, len(out.chat.Items))
		if len(turn.User) > 0 { // a retry says nothing itself
			text, files := heard(turn.User)
			out.chat = out.chat.Say(text, files...)
		}
		for _, e := range turn.Events {
			out.chat = out.chat.Apply(e)
		}
		switch {
		case turn.Error != "":
			out.chat = out.chat.Fail(errors.New(turn.Error))
		case turn.Ended.IsZero():
			out.chat = out.chat.Fail(errInterrupted)
		}
	}
	return out
}

// heard parts what the user said into its text and the files that went with it,
// which come first; see send.
func heard(parts []*genai.Part) (text string, files []view.Attachment) {
	for _, p := range parts {
		switch name, size, ok := view.AttachedName(p.Text); {
		case p.InlineData != nil:
			files = append(files, view.Attachment{Name: "Image", Type: p.InlineData.MIMEType, Size: len(p.InlineData.Data)})
		case ok:
			files = append(files, view.Attachment{Name: name, Type: "text/plain", Size: size})
		default:
			text = p.Text
		}
	}
	return text, files
}

// turnOf finds the turn that an item belongs to; -1 if none does.
func (t *thread) turnOf(item int) int {
	at, found := slices.BinarySearch(t.starts, item)
	if found {
		return at
	}
	return at - 1
}

// recall reads what conversations there were when the window opened, shows them
// in the sidebar, and opens the one that was used last.
func (w *Window) recall(opened time.Time) {
	list, err := w.options.History.Conversations(w.ctx)
	// The person may have said something already: that is in the sidebar.
	list = slices.DeleteFunc(list, func(c store.Conversation) bool { return c.Created.After(opened) })
	w.post(func() {
		switch {
		case errors.Is(err, store.ErrUnopened):
			w.warn(err)
			return
		case err != nil:
			w.alert(err)
			return
		}
		if warning := w.options.History.Warning; warning != nil {
			w.warn(warning)
		}
		shown := w.conversation()
		for _, kept := range list {
			w.chats = append(w.chats, &conversation{id: kept.ID, title: kept.Title, pinned: kept.Pinned, began: kept.Updated, order: kept.Used, active: kept.Active})
		}
		if len(list) > 0 && shown.id == "" && len(shown.chat.Items) == 0 && w.composer.input.Text == "" {
			w.chats = slices.DeleteFunc(w.chats, func(c *conversation) bool { return c == shown })
			last := slices.MaxFunc(w.chats, func(a, b *conversation) int { return cmp.Compare(a.order, b.order) })
			w.current = 0
			w.sort()
			w.choose(slices.Index(w.chats, last))
			return
		}
		w.sort()
		w.refresh()
	})
}

// sort orders the conversations as the sidebar shows them from below: pinned
// last, and among equals the one last used last.
func (w *Window) sort() {
	shown := w.conversation()
	slices.SortStableFunc(w.chats, func(a, b *conversation) int {
		if a.pinned != b.pinned {
			if b.pinned {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.used(), b.used())
	})
	w.current = slices.Index(w.chats, shown)
}

// used is the conversation's order of last use; that of an empty one is the last.
func (c *conversation) used() int64 {
	if c.order == 0 {
		return math.MaxInt64
	}
	return c.order
}

// later is the order of what is used now.
func (w *Window) later() (order int64) {
	for _, c := range w.chats {
		order = max(order, c.order)
	}
	return order + 1
}

// load reads a kept conversation, unless it is there already.
func (w *Window) load(c *conversation) {
	if c.id == "" || c.loaded || c.loading {
		return
	}
	c.loading = true
	session := w.options.NewSession()
	w.begin(func() {
		kept, err := w.options.History.Thread(w.ctx, c.id)
		t := retold(kept)
		w.post(func() {
			c.loading = false
			if err != nil {
				w.alert(err)
				return
			}
			c.take(session, t)
			if c == w.conversation() {
				w.transcript.reset()
				w.refresh()
			}
		})
	})
}

// take makes t what the conversation is.
func (c *conversation) take(session *agent.Session, t thread) {
	session.Restore(t.history)
	c.session, c.thread, c.chat, c.loaded = session, t, t.chat, true
	c.active = ""
	if n := len(t.turns); n > 0 {
		c.active = t.turns[n-1].ID
	}
}

// record begins to keep a turn that follows parent. It gives nil, and tells why,
// where nothing can be kept; the turn goes on without.
func (w *Window) record(ctx context.Context, c *conversation, id, parent string, parts []*genai.Part) *store.Recorder {
	if w.options.History == nil {
		return nil
	}
	var err error
	if id == "" {
		var made store.Conversation
		if made, err = w.options.History.Create(ctx); err == nil {
			id = made.ID
			w.post(func() { c.id, c.loaded = id, true })
		}
	}
	if err == nil {
		var r *store.Recorder
		if r, err = w.options.History.Begin(ctx, id, parent, parts); r != nil {
			return r // perhaps it waits in memory; that is told
		}
	}
	if !errors.Is(err, store.ErrUnopened) { // which recall has told
		w.post(func() { w.toasts.say("alert", "This turn is not kept: "+view.Sentence(err.Error())) })
	}
	return nil
}

// edit puts a message of the user back into the composer; what is sent next
// takes its place, on a branch of its own.
func (w *Window) edit(item int) {
	c := w.conversation()
	at := c.thread.turnOf(item)
	if c.running() || at < 0 {
		return
	}
	text, _ := heard(c.thread.turns[at].User)
	c.branch = at + 1
	w.composer.fill(text)
	w.toasts.say("pencil", "What you send now takes the place of that message. The old version is kept.")
	focus(w.composer.input)
}

// regenerate asks for another answer to the same message.
func (w *Window) regenerate(item int) {
	c := w.conversation()
	at := c.thread.turnOf(item)
	for at > 0 && len(c.thread.turns[at].User) == 0 {
		at-- // a retry says nothing itself
	}
	if c.running() || at < 0 {
		return
	}
	w.instead(c, at, c.thread.turns[at].User)
}

// instead says parts in place of turn at.
func (w *Window) instead(c *conversation, at int, parts []*genai.Part) {
	before := store.Thread{Turns: c.thread.turns[:at]}
	c.take(w.options.NewSession(), retold(before))
	text, files := heard(parts)
	c.chat = c.chat.Say(text, files...)
	w.transcript.reset()
	w.transcript.stick = true
	w.turn(c, parts...)
}

// turnTo shows another branch of a conversation.
func (w *Window) turnTo(c *conversation, turn string) {
	if c.running() {
		return
	}
	w.keep(func(ctx context.Context) error { return w.options.History.Activate(ctx, c.id, turn) }, func() {
		c.loaded = false
		w.load(c)
	})
}

// reload reads again what a turn has left, so that it can be edited.
func (w *Window) reload(c *conversation) {
	w.begin(func() {
		kept, err := w.options.History.Thread(w.ctx, c.id)
		if err != nil {
			return // it is shown as it is; the next opening tells
		}
		t := retold(kept)
		w.post(func() {
			if c.running() || !slices.ContainsFunc(t.turns, func(kept store.Turn) bool { return kept.ID == c.active }) {
				return // its last turn is not saved yet
			}
			if len(t.chat.Items) != len(c.chat.Items) {
				c.chat = t.chat // what is kept is what there is
			}
			c.thread, c.title = t, kept.Conversation.Title
			if n := len(t.turns); n > 0 {
				c.active = t.turns[n-1].ID
			}
			w.refresh()
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
				ID: "version:" + id, Title: "Version " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(t.Siblings)) + ": " + view.Cut(strings.TrimSpace(text), 40),
				Group: groupChat, Icon: "retry", Detail: "Show", Run: func() { w.turnTo(c, id) },
			})
		}
	}
	return list
}
