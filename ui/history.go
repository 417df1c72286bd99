package ui

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/ui/say"
	"goated/ui/view"
)

// A thread is a conversation as it is kept, made ready to be shown and gone on
// with.
type thread struct {
	chat    view.Chat
	turns   []store.Turn // of the branch that is shown
	starts  []int        // where the items of each turn begin
	end     int          // and where those of the last end
	history []*genai.Content
}

// retold folds what is kept as the live turns were folded. A turn that has no
// end, and is not under way, was cut off. What a message of the user begins is
// folded by itself: each step of a fold copies all items, and of 10,000 messages
// that would take a second.
func retold(t store.Thread) thread {
	out := thread{turns: t.Turns, history: t.History()}
	var before []view.Item
	var c view.Chat
	for _, turn := range t.Turns {
		c = c.Retract()
		if len(turn.User) > 0 { // a retry says nothing itself, and goes on with what there is
			before = append(before, c.Items...)
			c.Items = nil
		}
		out.starts = append(out.starts, len(before)+len(c.Items))
		if len(turn.User) > 0 {
			text, files := heard(turn.User)
			c = c.Say(text, files...)
		}
		for _, e := range turn.Events {
			c = c.Apply(e)
		}
		switch {
		case turn.Error != "":
			c = c.Fail(errors.New(turn.Error))
		case turn.Ended.IsZero():
			c = c.Fail(say.E("goated ended while this turn was under way"))
		}
	}
	out.chat = view.Chat{Items: append(before, c.Items...), Spent: c.Spent}
	out.end = len(out.chat.Items)
	return out
}

// heard parts what the user said into its text and the files that went with it,
// which come first; see send.
func heard(parts []*genai.Part) (text string, files []view.Attachment) {
	for _, p := range parts {
		switch name, size, ok := view.AttachedName(p.Text); {
		case p.InlineData != nil:
			d := p.InlineData
			files = append(files, view.Attachment{Name: cmp.Or(d.DisplayName, say.S("File")), Type: d.MIMEType, Size: len(d.Data), Data: d.Data})
		case ok:
			files = append(files, view.Attachment{Name: name, Type: "text/plain", Size: size})
		default:
			text = p.Text
		}
	}
	return text, files
}

// turnOf finds the turn that an item belongs to; -1 if none does that is kept and
// has ended.
func (t *thread) turnOf(item int) int {
	if item >= t.end {
		return -1
	}
	at, found := slices.BinarySearch(t.starts, item)
	if found {
		return at
	}
	return at - 1
}

// recall reads what conversations there were when the window opened, shows them
// in the sidebar, and opens the one that was used last. A history that can't be
// opened is told, until it can be.
func (w *Window) recall(opened time.Time) {
	list, err := w.options.History.Conversations(w.ctx)
	list = slices.DeleteFunc(list, func(c store.Conversation) bool {
		// One that was begun with a draft that came to nothing is none.
		hollow := c.Active == "" && c.Draft == "" && c.Title == ""
		if hollow && !c.Created.After(opened) {
			err = errors.Join(err, w.options.History.Delete(w.ctx, c.ID))
		}
		// The person may have said something already: that is in the sidebar.
		return hollow || c.Created.After(opened)
	})
	w.post(func() {
		switch {
		case errors.Is(err, store.ErrUnopened):
			w.bar(err, opened)
			return
		case err != nil:
			w.alert(err)
		}
		if warning := w.options.History.Warning; warning != nil {
			w.warn(warning)
		}
		w.unbar()
		shown := w.conversation()
		for _, kept := range list {
			w.chats = append(w.chats, remembered(kept))
		}
		w.outrank(list)
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

// outrank puts what was said while the history was being opened after all that is
// in it.
func (w *Window) outrank(list []store.Conversation) {
	live := slices.DeleteFunc(slices.Clone(w.chats), func(c *conversation) bool {
		return c.order == 0 || slices.ContainsFunc(list, func(kept store.Conversation) bool { return kept.ID == c.id })
	})
	slices.SortFunc(live, func(a, b *conversation) int { return cmp.Compare(a.order, b.order) })
	for _, c := range live {
		c.order = w.later()
	}
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

// when is the time of last use; an empty one is always new.
func (c *conversation) when(now time.Time) time.Time {
	if c.began.IsZero() {
		return now
	}
	return c.began
}

// later is the order of what is used now: after all that there is, or was.
func (w *Window) later() int64 {
	for _, c := range w.chats {
		w.order = max(w.order, c.order)
	}
	w.order++
	return w.order
}

// load reads a kept conversation, unless it is there already.
func (w *Window) load(c *conversation) {
	if w.options.History == nil || c.id == "" || c.loaded || c.loading {
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
				if !w.arrive(c) {
					w.transcript.bear(c.place)
				}
			}
		})
	})
}

// take makes t what the conversation is.
func (c *conversation) take(session *agent.Session, t thread) {
	session.Restore(t.history)
	c.taken++
	c.session, c.thread, c.chat, c.loaded = session, t, t.chat, true
	c.active = ""
	if n := len(t.turns); n > 0 {
		c.active = t.turns[n-1].ID
	}
}

// record begins to keep a turn that follows parent. It gives nil, and tells why,
// where nothing can be kept; the turn goes on without.
func (w *Window) record(ctx context.Context, c *conversation, parent string, parts []*genai.Part) *store.Recorder {
	if w.options.History == nil {
		return nil
	}
	id, err := c.named.get(ctx, w.options.History)
	if err == nil {
		w.post(func() { w.name(c, id) })
		var r *store.Recorder
		if r, err = w.options.History.Begin(ctx, id, parent, parts); r != nil {
			return r // perhaps it waits in memory; that is told
		}
	}
	w.post(func() { w.toasts.say("alert", say.S("This turn is not kept: %s", view.Sentence(err.Error()))) })
	return nil
}

// name says under which id a conversation that is new in the history is kept.
func (w *Window) name(c *conversation, id string) {
	if c.id == "" {
		c.id, c.loaded = id, true
		w.list()
	}
}

// edit puts a message of the user back into the composer; what is sent next
// takes its place, on a branch of its own.
func (w *Window) edit(item int) {
	c := w.conversation()
	at := c.thread.turnOf(item)
	if c.busy() || at < 0 {
		return
	}
	text, _ := heard(c.thread.turns[at].User)
	c.branch = at + 1
	w.carryAgain(c, c.thread.turns[at].User)
	w.composer.fill(text)
	w.toasts.say("pencil", say.S("What you send now takes the place of that message. The old version is kept."))
	focus(w.composer.input)
}

// carryAgain puts the files of an earlier message into the composer.
func (w *Window) carryAgain(c *conversation, parts []*genai.Part) {
	c.files = nil
	for _, p := range parts {
		_, files := heard([]*genai.Part{p})
		if len(files) == 0 {
			continue
		}
		at := len(c.files)
		c.files = append(c.files, attached{files[0], p})
		w.transcript.illustrate(files[0], func(a view.Attachment) {
			if at < len(c.files) && c.files[at].part == p {
				c.files[at].Preview = a.Preview
				if c == w.conversation() {
					w.showFiles()
				}
			}
		})
	}
	w.showFiles()
}

// asked is the turn with the message that an item is of, or answers; -1 if there
// is none. A retry says nothing itself.
func (t *thread) asked(item int) int {
	at := t.turnOf(item)
	for at > 0 && len(t.turns[at].User) == 0 {
		at--
	}
	return at
}

// regenerate asks for another answer to the same message.
func (w *Window) regenerate(item int) {
	c := w.conversation()
	at := c.thread.asked(item)
	if c.busy() || at < 0 {
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

// reload reads again what a turn has left, so that it can be edited.
func (w *Window) reload(c *conversation) {
	taken := c.taken
	w.begin(func() {
		kept, err := w.options.History.Thread(w.ctx, c.id)
		if err != nil {
			return // it is shown as it is; the next opening tells
		}
		t := retold(kept)
		w.post(func() {
			if c.renew(t, taken) {
				c.title = kept.Conversation.Title
				w.refresh()
			}
		})
	})
}

// renew takes t as what is kept of the conversation, if it has gone on to nothing
// else since taken.
func (c *conversation) renew(t thread, taken int) bool {
	if c.busy() || c.taken != taken {
		return false
	}
	if !slices.ContainsFunc(t.turns, func(kept store.Turn) bool { return kept.ID == c.active }) {
		return false // its last turn is not saved yet
	}
	if len(t.chat.Items) != len(c.chat.Items) {
		c.chat = t.chat // what is kept is what there is
	}
	c.thread = t
	c.active = t.turns[len(t.turns)-1].ID
	return true
}
