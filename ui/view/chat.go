// Package view decides what the window and the terminal show: a conversation as a
// list of items, a tool result as parts, a server's state as text. It is pure, and
// must not know the toolkit that draws it.
package view

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"goated/agent"
	"goated/internal/wording"
	"goated/ui/view/format"
	"goated/ui/view/markdown"
)

// A Chat is a conversation as a list of items: the fold of the user's messages and
// of the events of each turn. It is a value: every method returns a new Chat and
// leaves the old one unchanged, so one goroutine can fold while others show an
// earlier state. The zero value is an empty conversation.
type Chat struct {
	Items []Item // read-only
	Spent Spent  // by all turns
}

// An Item is one thing in the transcript. The set is closed: [User], [Answer],
// [Thought], [Card], [Notice], [Failure].
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

// Thought is the model's summary of its reasoning.
type Thought struct{ Text string }

// Notice is goated's remark on a turn, such as why it ended early.
type Notice struct{ Text string }

// Failure is an error that ended a turn, and what the user can do about it.
type Failure struct{ Text, Advice string }

func (User) isItem()    {}
func (Answer) isItem()  {}
func (Thought) isItem() {}
func (Card) isItem()    {}
func (Notice) isItem()  {}
func (Failure) isItem() {}

// Say adds a message of the user.
func (c Chat) Say(text string, attached ...Attachment) Chat {
	u := User{Text: text}
	if len(attached) > 0 {
		u.attached = &attached
	}
	return c.with(u)
}

// Fail adds the error that ended a turn. A cancelled turn becomes a Notice: the
// user asked for it.
func (c Chat) Fail(err error) Chat {
	c = c.abandon()
	if errors.Is(err, context.Canceled) {
		return c.with(Notice{wording.TurnEnd(agent.TurnEnded{Reason: agent.Cancelled})})
	}
	advice := cmp.Or(wording.Advice(err), "Nothing you wrote is lost. You can try again.")
	return c.with(Failure{Text: wording.Error(err), Advice: advice})
}

// Retract removes a failure at the end, before another attempt.
func (c Chat) Retract() Chat {
	if n := len(c.Items); n > 0 {
		if _, ok := c.Items[n-1].(Failure); ok {
			c.Items = slices.Clip(c.Items[:n-1])
		}
	}
	return c
}

// Apply folds one event into the conversation. Events may come in any order. Apply
// ignores events of unknown calls.
func (c Chat) Apply(e agent.Event) Chat {
	switch e := e.(type) {
	case agent.TextDelta:
		if a, ok := c.last().(Answer); ok {
			return c.replace(len(c.Items)-1, Answer{Text: a.Text + e.Text})
		}
		if strings.TrimSpace(e.Text) != "" {
			return c.with(Answer{Text: e.Text})
		}
	case agent.ThoughtDelta:
		if t, ok := c.last().(Thought); ok {
			return c.replace(len(c.Items)-1, Thought{t.Text + e.Text})
		}
		if strings.TrimSpace(e.Text) != "" {
			return c.with(Thought{e.Text})
		}
	case agent.ToolCalled:
		return c.with(called(e))
	case agent.ToolDecided:
		if i := c.card(e.ID); i >= 0 {
			return c.replace(i, c.Items[i].(Card).decided(e))
		}
	case agent.ToolProgressed:
		if i := c.card(e.ID); i >= 0 {
			return c.replace(i, c.Items[i].(Card).progressed(e))
		}
	case agent.ToolReturned:
		if i := c.card(e.ID); i >= 0 {
			return c.replace(i, c.Items[i].(Card).returned(e))
		}
	case agent.TurnEnded:
		c = c.abandon().count(e.Usage)
		if text := wording.TurnEnd(e); text != "" {
			return c.with(Notice{text})
		}
		if _, silent := c.last().(User); silent {
			return c.with(Notice{"The model returned an empty answer."})
		}
	}
	return c
}

// Title returns the first message of the user, cut at 30 characters, or "New chat".
func (c Chat) Title() string {
	for _, item := range c.Items {
		if u, ok := item.(User); ok {
			if strings.TrimSpace(u.Text) == "" && len(u.Attachments()) > 0 {
				return format.Cut(u.Attachments()[0].Name, 30)
			}
			return format.Cut(u.Text, 30)
		}
	}
	return "New chat"
}

// abandon marks the open calls as failed.
func (c Chat) abandon() Chat {
	for i, item := range c.Items {
		if card, ok := item.(Card); ok && card.Open() {
			card.Status, card.Error = Failed, "The turn ended before the tool answered."
			c = c.replace(i, card)
		}
	}
	return c
}

// card returns the index of the latest card of a call, or -1.
func (c Chat) card(id string) int {
	for i, item := range slices.Backward(c.Items) {
		if card, ok := item.(Card); ok && card.ID == id {
			return i
		}
	}
	return -1
}

func (c Chat) last() Item {
	if len(c.Items) == 0 {
		return nil
	}
	return c.Items[len(c.Items)-1]
}

// with and replace copy Items, since two chats can share the slice.

func (c Chat) with(item Item) Chat {
	c.Items = append(slices.Clip(slices.Clone(c.Items)), item)
	return c
}

func (c Chat) replace(i int, item Item) Chat {
	c.Items = slices.Clone(c.Items)
	c.Items[i] = item
	return c
}

// LastSaid returns the beginning of the last message or answer on one line.
func LastSaid(c Chat) string {
	for _, item := range slices.Backward(c.Items) {
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
			return Skim(text)
		}
	}
	return ""
}

// Skim returns the beginning of Markdown without marks, on one line of up to 100
// characters. It does not parse, since the sidebar calls it for each new word of
// an answer.
func Skim(markdown string) string {
	var words []string
	for word := range strings.FieldsSeq(strings.ToValidUTF8(markdown[:min(len(markdown), 600)], "")) {
		if strings.Trim(word, "-+*#>|=:`~") == "" {
			continue // the mark of a list, heading, quote, table or fence
		}
		words = append(words, strings.Trim(word, "*`~|"))
	}
	return format.Cut(strings.Join(words, " "), 100)
}

// LastWords returns the end of a conversation on one line: the last answer, or why
// there is none.
func LastWords(c Chat) string {
	for _, item := range slices.Backward(c.Items) {
		switch i := item.(type) {
		case Answer:
			return format.Cut(plain(i.Text), 140)
		case Failure:
			return format.Cut(i.Text, 140)
		case Notice:
			return format.Cut(i.Text, 140)
		case User:
			return ""
		}
	}
	return ""
}

// plain returns the beginning of Markdown as plain text.
func plain(source string) string {
	var text []string
	source = strings.ToValidUTF8(source[:min(len(source), 4096)], "") // the rest can't matter
	for _, b := range markdown.Parse(source) {
		text = append(text, b.Text())
	}
	return strings.Join(text, " ")
}
