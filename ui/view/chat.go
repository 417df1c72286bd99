// Package view decides what the window and the terminal show: a conversation as a list of items,
// a tool result as parts, and a server's state as text. It has no side effects, and must not
// depend on the toolkit that draws it.
package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"goated/agent"
	"goated/internal/wording"
	"goated/ui/view/format"
)

// A Chat is a conversation as a list of items. It is the fold of the user's messages and of the
// events of each turn. A Chat is a value: every method returns a new Chat and leaves the old one
// unchanged, so one goroutine can fold while others show an earlier state. The zero value is an
// empty conversation.
type Chat struct {
	Spent Spent // the usage of all turns
	Wait  Wait  // the wait for the next attempt of a request; zero: none

	items items
}

// A Wait means that a failed request will be retried, or that servers are starting.
type Wait struct {
	Servers string // for example "Waiting for 2 servers: git, sqlite"; empty: a request is retried
	Reason  string // a sentence
	Kind    agent.FailureKind
	Model   string        // the model that was asked
	Left    time.Duration // the time until the next attempt
	Total   time.Duration // the time from the failure to the next attempt
	Attempt int
}

// Text returns, for example, "Retrying in 34 s", or Servers. It returns "" if nothing waits.
func (w Wait) Text() string {
	switch {
	case w.Servers != "":
		return w.Servers
	case w.Attempt == 0:
		return ""
	}
	return fmt.Sprintf("Retrying in %d s", int((w.Left+time.Second-1)/time.Second))
}

// NewChat returns a conversation that consists of the items in list. It takes ownership of list.
func NewChat(list []Item, spent Spent) Chat { return Chat{Spent: spent, items: itemsOf(list)} }

// Len returns the number of items.
func (c Chat) Len() int { return c.items.len() }

// At returns the item with index i, from 0 to Len()-1.
func (c Chat) At(i int) Item { return c.items.at(i) }

// All yields the items with their indexes.
func (c Chat) All() iter.Seq2[int, Item] { return c.items.all() }

// Items returns a copy of the list of items.
func (c Chat) Items() []Item { return c.items.list() }

// An Item is one thing in the transcript. The set is closed: [User], [Answer],
// [Thought], [Card], [Notice], [Failure], [Summary], [Question], [Pending], [Queued].
//
//sumtype:decl
type Item interface{ isItem() }

// User is a message of the user with its attachments.
type User struct {
	Text     string
	attached *[]Attachment // a pointer, since items must be comparable
}

// Attachments returns the files of the message. Callers must not change them.
func (u User) Attachments() []Attachment {
	if u.attached == nil {
		return nil
	}
	return *u.attached
}

// Answer is text of the model, as Markdown. Spent is for the whole turn that the
// answer ends; it is zero for other answers.
type Answer struct {
	Text  string
	Spent Spent
}

// Queued is a message that is sent when the turn ends.
type Queued struct {
	ID   int
	Text string
}

// Question is an open question to the user. Its owner draws it.
type Question struct {
	ID   int
	Step int // the step of the calls that it refers to; -1: none
}

// Thought is the model's summary of its reasoning.
type Thought struct{ Text string }

// Notice is a remark of goated about a turn, for example why it ended early.
type Notice struct {
	Text    string
	Retry   bool                  // the user or the end of goated stopped the turn, so the user may want to run it again
	LeftOut agent.ToolQuarantined // the tool that goated leaves out; zero for other remarks
}

// Named returns the remark with the name of a server in place of its id.
func (n Notice) Named(of func(id string) string) Notice {
	if e := n.LeftOut; e.Server != "" {
		e.Server = SingleLine(of(e.Server))
		n.Text = wording.ToolQuarantinedText(e)
	}
	return n
}

// Summary means that the model receives a summary of everything above it.
type Summary struct {
	Text   string // Markdown, written by the model
	Note   string // a sentence
	Undone bool   // the model receives the messages again
}

// Failure is an error that ended a turn, and what the user can do about it.
type Failure struct {
	Text, Advice string
	Other        string // the label of a button that chooses another model; empty: another model would not help
	Key          string // the label of a button for the API key; empty: the key is not the cause
}

func (User) isItem()     {}
func (Answer) isItem()   {}
func (Thought) isItem()  {}
func (Card) isItem()     {}
func (Question) isItem() {}
func (Pending) isItem()  {}
func (Queued) isItem()   {}
func (Notice) isItem()   {}
func (Summary) isItem()  {}
func (Failure) isItem()  {}

// Say adds a message of the user.
func (c Chat) Say(text string, attached ...Attachment) Chat {
	c.Wait = Wait{}
	u := User{Text: text}
	if len(attached) > 0 {
		u.attached = &attached
	}
	return c.with(u)
}

// Fail adds the error that ended a turn. For a cancelled turn it adds a Notice, because the user
// asked for that.
func (c Chat) Fail(err error) Chat {
	c.Wait = Wait{}
	c = c.closeOpenCalls()
	if errors.Is(err, context.Canceled) {
		return c.with(Notice{Text: wording.TurnEndText(agent.TurnEnded{Reason: agent.Cancelled}), Retry: true})
	}
	advice := cmp.Or(wording.Advice(err), "Nothing you wrote is lost. You can try again.")
	return c.with(Failure{Text: wording.ErrorText(err), Advice: advice, Other: wording.OtherModel(err), Key: wording.KeyAction(err)})
}

// Retract removes a failure at the end, before another attempt.
func (c Chat) Retract() Chat {
	if _, ok := c.last().(Failure); ok {
		c.items = c.items.withoutLast()
	}
	return c
}

// RemoveStopNotice removes the notice that the user stopped the turn, before another model continues it.
func (c Chat) RemoveStopNotice() Chat {
	if n, ok := c.last().(Notice); ok && n.Retry {
		c.items = c.items.withoutLast()
	}
	return c
}

// Apply folds an event into the conversation. Events may arrive in any order. Apply ignores
// events of unknown calls.
func (c Chat) Apply(e agent.Event) Chat {
	before := c.Wait
	c.Wait = Wait{}
	switch e := e.(type) {
	case agent.ServersStarting:
		total := e.Left
		if before.Servers != "" {
			total = max(before.Total, total)
		}
		c.Wait = Wait{Servers: wording.WaitingForServers(e.Names), Left: e.Left, Total: total}
		return c
	case agent.ServersMissing:
		return c.with(Notice{Text: wording.EventText(e)})
	case agent.RetryScheduled:
		total := e.Left
		if before.Attempt == e.Attempt {
			total = max(before.Total, total)
		}
		c.Wait = Wait{Reason: wording.WaitReason(e), Kind: e.Kind, Model: e.Model, Left: e.Left, Total: total, Attempt: e.Attempt}
		return c
	case agent.ContextCompacted:
		return c.with(Summary{Text: e.Summary, Note: wording.EventText(e)})
	case agent.ContextRestored:
		return c.markRestored().with(Notice{Text: wording.EventText(e)})
	case agent.ModelSwitched:
		return c.with(Notice{Text: wording.EventText(e)})
	case agent.AnswerDiscarded:
		return c.removeDiscarded()
	case agent.ContextTrimmed:
		return c.with(Notice{Text: wording.ContextTrimmedText(e)})
	case agent.MediaRemoved:
		return c.with(Notice{Text: wording.MediaRemovedText(e)})
	case agent.TextDelta:
		if a, ok := c.last().(Answer); ok {
			var text string
			c.items, text = c.items.extend(a.Text, e.Text)
			return c.replace(c.Len()-1, Answer{Text: text})
		}
		if strings.TrimSpace(e.Text) != "" {
			return c.with(Answer{Text: e.Text})
		}
	case agent.ThoughtDelta:
		if t, ok := c.last().(Thought); ok {
			var text string
			c.items, text = c.items.extend(t.Text, e.Text)
			return c.replace(c.Len()-1, Thought{text})
		}
		if strings.TrimSpace(e.Text) != "" {
			return c.with(Thought{e.Text})
		}
	case agent.ToolCalled:
		card := called(e)
		card.Step = c.nextStep()
		return c.with(card)
	case agent.ToolDecided:
		if i := c.card(e.ID); i >= 0 {
			return c.replace(i, c.At(i).(Card).decided(e))
		}
	case agent.ToolProgressed:
		if i := c.card(e.ID); i >= 0 {
			return c.replace(i, c.At(i).(Card).progressed(e))
		}
	case agent.ToolReturned:
		if i := c.card(e.ID); i >= 0 {
			return c.replace(i, c.At(i).(Card).returned(e))
		}
	case agent.ToolQuarantined:
		return c.with(Notice{Text: wording.ToolQuarantinedText(e), LeftOut: e})
	case agent.TurnEnded:
		c = c.closeOpenCalls().count(e)
		if text := wording.TurnEndText(e); text != "" {
			return c.with(Notice{Text: text, Retry: e.Reason == agent.Cancelled || e.Reason == agent.Quit})
		}
		if _, silent := c.last().(User); silent {
			return c.with(Notice{Text: "The model returned an empty answer."})
		}
	}
	return c
}

// markRestored marks the latest summary that is in force as undone.
func (c Chat) markRestored() Chat {
	for i := c.Len() - 1; i >= 0; i-- {
		if s, ok := c.At(i).(Summary); ok && !s.Undone {
			s.Undone = true
			return c.replace(i, s)
		}
	}
	return c
}

// InForce reports whether the item at index is the summary that is in force.
func InForce(list []Item, index int) bool {
	for i, item := range slices.Backward(list) {
		if s, ok := item.(Summary); ok && !s.Undone {
			return i == index
		}
	}
	return false
}

// removeDiscarded removes the text of an answer that the model writes again.
func (c Chat) removeDiscarded() Chat {
	for {
		switch c.last().(type) {
		case Answer, Thought:
			c.items = c.items.withoutLast()
			continue
		}
		return c
	}
}

// Title returns the first message of the user, truncated to 30 characters, or "New chat".
func (c Chat) Title() string {
	for _, item := range c.All() {
		if u, ok := item.(User); ok {
			if strings.TrimSpace(u.Text) == "" && len(u.Attachments()) > 0 {
				return format.Cut(u.Attachments()[0].Name, 30)
			}
			return format.Cut(u.Text, 30)
		}
	}
	return "New chat"
}

// closeOpenCalls closes the open calls. A call that has not begun is not marked as failed.
func (c Chat) closeOpenCalls() Chat {
	for k, item := range c.items.live { // settled calls have results
		i := len(c.items.settled) + k
		if card, ok := item.(Card); ok && card.Open() {
			if card.Status == Waiting {
				card.Status, card.Error = Stopped, "This call did not run, because the turn ended."
			} else {
				card.Status, card.Error = Failed, "The turn ended before the tool answered."
			}
			c = c.replace(i, card)
		}
	}
	return c
}

// card returns the index of the latest card of a call, or -1 if there is none.
func (c Chat) card(id string) int {
	for i, item := range c.items.backward() {
		if card, ok := item.(Card); ok && card.ID == id {
			return i
		}
	}
	return -1
}

func (c Chat) last() Item {
	if c.Len() == 0 {
		return nil
	}
	return c.At(c.Len() - 1)
}

func (c Chat) with(item Item) Chat {
	c.items = c.items.add(item)
	return c
}

func (c Chat) replace(i int, item Item) Chat {
	c.items = c.items.set(i, item)
	return c
}

// LastMessage returns the beginning of the last message or answer on one line.
func LastMessage(c Chat) string {
	for _, item := range c.items.backward() {
		text := ""
		switch i := item.(type) {
		case Answer:
			text = i.Text
		case User:
			if text = i.Text; text == "" && len(i.Attachments()) > 0 {
				text = i.Attachments()[0].Name
			}
		}
		if strings.TrimSpace(text) != "" {
			return PreviewLine(text)
		}
	}
	return ""
}
