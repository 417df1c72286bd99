// Package view decides what the window shows: a conversation as a list of
// items, a server as a line of words, a schema as the fields of a form. It is
// pure, and knows nothing of the toolkit that draws it.
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

// A Chat is what a conversation looks like: the projection of what the user
// said and of the events of the turns since. It is a value. Every method
// returns a new one and leaves the old one as it was, so one goroutine may fold
// while others still show an earlier state.
type Chat struct {
	Items []Item // not to be changed
	Spent Spent  // by all its turns
}

// An Item is one thing in the transcript. The set is closed: [User], [Answer],
// [Thought], [Card], [Notice], [Failure].
//
//sumtype:decl
type Item interface{ isItem() }

// User is what the user said, and the files that went with it.
type User struct {
	Text     string
	attached *[]Attachment // behind a pointer, since items are compared
}

// Attachments are the files that went with what the user said; not to be changed.
func (u User) Attachments() []Attachment {
	if u.attached == nil {
		return nil
	}
	return *u.attached
}

// Answer is what the model said, as Markdown. Tokens are those of the whole turn
// that it ends, over all requests and both ways.
type Answer struct {
	Text  string
	Spent Spent
}

// Thought is the model's summary of its thinking.
type Thought struct{ Text string }

// Notice is goated's own remark on a turn, such as why it ended early.
type Notice struct{ Text string }

// Failure is an error that ended a turn, and what can be done about it.
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

// Fail adds the error that ended a turn. A cancelled turn is no error: the user
// wanted it.
func (c Chat) Fail(err error) Chat {
	c = c.abandon()
	if errors.Is(err, context.Canceled) {
		return c.with(Notice{wording.TurnEnd(agent.TurnEnded{Reason: agent.Cancelled})})
	}
	advice := cmp.Or(wording.Advice(err), "Nothing you wrote is lost. You can try again.")
	return c.with(Failure{Text: wording.Error(err), Advice: advice})
}

// Retract takes away the failure at the end, for another attempt.
func (c Chat) Retract() Chat {
	if n := len(c.Items); n > 0 {
		if _, ok := c.Items[n-1].(Failure); ok {
			c.Items = slices.Clip(c.Items[:n-1])
		}
	}
	return c
}

// Apply folds one event into the conversation. Events may come in any order:
// what refers to an unknown call is passed over.
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
			return c.with(Notice{"The model ended its turn without a word."})
		}
	}
	return c
}

// Title is the first message of the user, cut at 30 characters, or "New chat".
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

// abandon closes the calls that nothing will answer any more.
func (c Chat) abandon() Chat {
	for i, item := range c.Items {
		if card, ok := item.(Card); ok && card.Open() {
			card.Status, card.Error = Failed, "The turn ended before the tool answered."
			c = c.replace(i, card)
		}
	}
	return c
}

// card finds the latest card of a call, or -1.
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

// with and replace copy: a slice that two chats share must never be written.

func (c Chat) with(item Item) Chat {
	c.Items = append(slices.Clip(slices.Clone(c.Items)), item)
	return c
}

func (c Chat) replace(i int, item Item) Chat {
	c.Items = slices.Clone(c.Items)
	c.Items[i] = item
	return c
}

// LastSaid is the beginning of what was said last, by whom ever, on one line.
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

// Skim is the beginning of Markdown on one line of up to 100 characters, without
// its marks. It does not parse: it is for the sidebar, where an answer that grows
// comes by with each word.
func Skim(markdown string) string {
	var words []string
	for word := range strings.FieldsSeq(strings.ToValidUTF8(markdown[:min(len(markdown), 600)], "")) {
		if strings.Trim(word, "-+*#>|=:`~") == "" {
			continue // of a list, a heading, a quote, a table, a fence
		}
		words = append(words, strings.Trim(word, "*`~|"))
	}
	return format.Cut(strings.Join(words, " "), 100)
}

// LastWords are the end of a conversation on one line: what the model said last,
// or why it did not.
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

// plain is what is read of the beginning of Markdown where it can't be shown.
func plain(source string) string {
	var text []string
	source = strings.ToValidUTF8(source[:min(len(source), 4096)], "") // no more of it can matter
	for _, b := range markdown.Parse(source) {
		text = append(text, b.Text())
	}
	return strings.Join(text, " ")
}
