package chats

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/internal/consent"
	"goated/internal/safetext"
	"goated/ui/approval"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// A Question is an open question of a conversation: an approval, the form of a server
// ([goated/ui/approval]), or a dialog ([goated/ui/pause]).
type Question interface{ shell.Card }

// An openQuestion waits for an answer in the transcript of its conversation.
type openQuestion struct {
	Question
	id     int
	calls  []string // the ids of the calls that the question refers to
	server string   // the server that asks during its own call; empty: goated asks about calls
	count  *shell.Counter
	since  time.Time // when it arrived
}

// questions are the open questions of all conversations. Each conversation shows its first
// question, or the one that the user chose. A question takes the focus only if it handles
// keys and the user is not typing. The fields belong to the UI goroutine, and so do the methods unless their comments
// say otherwise.
type questions struct {
	page   *Page
	grants *consent.Grants // nil: "always" is not available
	model  func() string   // returns the name of the model that answers
	last   int             // the id of the latest question
	taken  time.Time       // when Accept last answered a question
}

// acceptPause is how long Ctrl+Enter sends nothing after it answered a question. A second press
// was meant for the question, not for the draft.
const acceptPause = time.Second

// Approve returns an [agent.Approve] that asks about the calls of a step of c. That function
// blocks until the user answers or ctx ends, so it must not run on the UI goroutine.
func (q *questions) Approve(c *Conversation) agent.Approve {
	return func(ctx context.Context, calls []agent.Pending) ([]agent.Answer, error) {
		answer := make(chan []agent.Answer, 1)
		var open *openQuestion // belongs to the UI goroutine
		q.page.shell.Post(func() {
			if ctx.Err() == nil {
				open = q.Ask(c, calls, func(all []agent.Answer) { answer <- all })
			}
		})
		select {
		case all := <-answer:
			return all, nil
		case <-ctx.Done():
			q.page.shell.Post(func() { q.close(c, open) })
			return nil, ctx.Err()
		}
	}
}

// Ask opens the question about the calls of a step in c. It calls answer once.
func (q *questions) Ask(c *Conversation, calls []agent.Pending, answer func([]agent.Answer)) *openQuestion {
	var ids []string
	for _, p := range calls {
		ids = append(ids, p.Call.ID)
	}
	return q.put(c, ids, func(o *openQuestion) Question {
		return approval.New(q.page.shell, approval.Options{
			Calls: calls, Count: o.count, Asker: q.model(), Grants: q.grants, Server: q.page.Transcript.Actions.Server,
			Room: q.room, Changed: q.hint, Resized: q.resized, Done: q.page.write,
			Show:   func(title, text string) { q.page.Transcript.Actions.View(view.TextOf(title, text)) },
			Answer: func(all []agent.Answer) { q.close(c, o); answer(all) },
		})
	})
}

// put opens a question in c.
func (q *questions) put(c *Conversation, calls []string, draw func(*openQuestion) Question) *openQuestion {
	q.last++
	o := &openQuestion{id: q.last, calls: calls, count: q.page.shell.NewCounter(), since: q.page.shell.Now()}
	o.Question = draw(o)
	c.asks = append(c.asks, o)
	q.tell(c, o)
	q.page.Refresh()
	q.takeKeys(c, o)
	q.page.shell.Waiting.OnChange()
	return o
}

// A keyed question handles keys itself, for example the numbers of options.
type keyed interface {
	First() fyne.Focusable // receives the focus
	Typed(r rune) bool     // handles a character that no field took
}

// takeKeys focuses a question that has just become visible, unless the user is writing a message,
// types elsewhere or looks at something else.
func (q *questions) takeKeys(c *Conversation, o *openQuestion) {
	p := q.page
	if k, ok := o.Question.(keyed); ok && c.asking() == o && q.inSight(c) && p.Composer.Input.Text == "" && !q.elsewhere() {
		kit.Focus(k.First())
	}
}

// elsewhere reports whether the user types in a field other than the composer, such as the one that
// searches the conversation.
func (q *questions) elsewhere() bool {
	p := q.page
	in, ok := p.shell.Sheets.Window.Canvas().Focused().(*kit.Input)
	return ok && in != p.Composer.Input
}

// inSight reports whether a conversation is visible, without a sheet over it.
func (q *questions) inSight(c *Conversation) bool {
	s := q.page.shell
	return c == q.page.Conversation() && s.Main.Page() == nil && s.Sheets.Top() == nil
}

// Typed passes a character that no field took to the open question. It reports whether the
// question handles characters.
func (q *questions) Typed(r rune) bool {
	o := q.page.Conversation().asking()
	if o == nil {
		return false
	}
	k, ok := o.Question.(keyed)
	return ok && k.Typed(r)
}

// Drop passes files that the user dropped onto the window to the open question. It reports
// whether the question accepts files.
func (q *questions) Drop(paths []string) bool {
	o := q.page.Conversation().asking()
	if o == nil || !q.inSight(q.page.Conversation()) {
		return false
	}
	takes, ok := o.Question.(interface{ Drop(paths []string) bool })
	return ok && takes.Drop(paths)
}

// close removes a question. It does nothing if o is nil or already closed.
func (q *questions) close(c *Conversation, o *openQuestion) {
	i := slices.Index(c.asks, o)
	if i < 0 {
		return
	}
	shown := c.asking() == o
	c.asks = slices.Delete(c.asks, i, i+1)
	_, keys := o.Question.(keyed)
	held := shown && q.inSight(c) && (keys && !q.elsewhere() || kit.HasFocus(o.Object()))
	next := c.asking()
	if shown && next != nil {
		next.Appear()
	}
	q.page.Refresh()
	if held {
		q.page.write() // the focus was in the question that is now gone
	}
	if next != nil && shown {
		q.takeKeys(c, next)
	}
	q.page.shell.Waiting.OnChange()
}

// tell notifies the user about a question in a conversation that is not visible.
func (q *questions) tell(c *Conversation, o *openQuestion) {
	p := q.page
	title := safetext.Cut(c.Heading(), 60)
	if _, announced := o.Question.(keyed); !announced && p.on.Away() && p.on.Notify != nil { // a dialog has its own notification with buttons
		text := o.Preview()
		p.shell.Go(func() { p.on.Notify(title, text) })
	}
	if c != p.Conversation() || p.shell.Main.Page() != nil {
		p.shell.Toasts.Offer("shield", fmt.Sprintf("“%s” asks you: %s", title, o.Preview()), "Open", kit.Shortcut{}, func() {
			if p.shell.LeaveSheets() {
				p.Menu.Show(c)
			}
		})
	}
}

// room returns the height that is available for a question.
func (q *questions) room() float32 { return q.page.Transcript.View.Scroll.Scroll.Size().Height }

// resized arranges the transcript again after a question changed its height, with its hint.
func (q *questions) resized() { q.hint(); q.page.Transcript.View.Refit() }

// object draws the question with an id. It returns nil if the question is closed.
func (q *questions) object(id int) fyne.CanvasObject {
	if o := q.page.Conversation().asking(); o != nil && o.id == id {
		return o.Object()
	}
	return nil
}

// Open reports whether the shown conversation has an open question.
func (q *questions) Open() bool { return q.page.Conversation().asking() != nil }

// Page scrolls the question of the shown conversation by a number of pages. It reports whether it
// scrolled.
func (q *questions) Page(pages float32) bool {
	o := q.page.Conversation().asking()
	if o == nil || !q.inSight(q.page.Conversation()) {
		return false
	}
	long, ok := o.Question.(interface{ Page(pages float32) bool })
	return ok && long.Page(pages)
}

// Accept answers the question of the shown conversation as Ctrl+Enter does. It reports whether
// there is a question, or was one until a moment ago.
func (q *questions) Accept() bool {
	now := q.page.shell.Now()
	if o := q.page.Conversation().asking(); o != nil {
		q.taken = now
		o.Accept()
		return true
	}
	return now.Sub(q.taken) < acceptPause
}

// Decline answers the question as Esc does. It reports whether there is one.
func (q *questions) Decline() bool {
	o := q.page.Conversation().asking()
	if o != nil {
		o.Decline()
	}
	return o != nil
}

// shown returns the chat with the open question, or a line for the wait for the model, at its
// end.
func (c *Conversation) shown() view.Chat {
	if o := c.asking(); o != nil {
		if o.server != "" {
			return c.withQueue(c.Chat.AskingFor(o.id, o.server))
		}
		return c.withQueue(c.Chat.Asking(o.id, o.calls...))
	}
	if c.Running() {
		return c.withQueue(c.Chat.Awaiting(c.latest.model, c.latest.heard))
	}
	return c.withQueue(c.Chat)
}

// Elicit asks a question of a server in the conversation that has called it. It reports whether
// there is such a conversation. It blocks until the user answers or ctx ends, so it must not run
// on the UI goroutine. It ignores questions to open a page, which do not belong in a
// conversation.
func (q *questions) Elicit(ctx context.Context, from client.Asker, p *mcp.ElicitParams) (result *mcp.ElicitResult, asked bool, err error) {
	if p == nil || p.Mode == "url" || p.RequestedSchema == nil {
		return nil, false, nil
	}
	answer, asked, err := q.Inline(ctx, from.ID, func(s Slot, answer func(any)) Question {
		return approval.NewForm(s.Shell, approval.FormOptions{
			From: from, Params: p, Count: s.Count, Room: s.Room, Changed: q.hint, Resized: s.Resized,
			Answer: func(r *mcp.ElicitResult) { answer(r) },
		})
	})
	if r, ok := answer.(*mcp.ElicitResult); ok {
		return r, asked, err
	}
	if asked && err == nil { // the window closed
		return &mcp.ElicitResult{Action: "cancel"}, true, nil
	}
	return nil, asked, err
}

// A Slot is the place for a question in a transcript.
type Slot struct {
	Shell   *shell.Shell
	Room    func() float32 // the height that is available for the question
	Resized func()         // arranges the transcript after the height of the question changed
	Count   *shell.Counter // opens the list of waiting questions
}

// Inline asks in the conversation that has a running call of a server, or otherwise in one with a
// turn that has called it. It reports whether there is one. draw runs on the UI goroutine, and
// the question calls answer once. Inline blocks until then or until ctx ends, so it must not run
// on the UI goroutine. The answer is nil if the window closes first.
func (q *questions) Inline(ctx context.Context, server string, draw func(s Slot, answer func(any)) Question) (answer any, asked bool, err error) {
	return q.inline(ctx, server, false, func() {}, draw)
}

// InCall is Inline for a conversation with a running call of the server, and no other. It calls
// seen when the question is open.
func (q *questions) InCall(ctx context.Context, server string, seen func(), draw func(s Slot, answer func(any)) Question) (answer any, asked bool, err error) {
	return q.inline(ctx, server, true, seen, draw)
}

func (q *questions) inline(ctx context.Context, server string, running bool, seen func(), draw func(s Slot, answer func(any)) Question) (answer any, asked bool, err error) {
	found, answers := make(chan bool, 1), make(chan any, 1)
	var c *Conversation // both belong to the UI goroutine
	var open *openQuestion
	q.page.shell.Post(func() {
		q.page.Refresh() // the call may be new
		if c = q.calling(server, running); c == nil || ctx.Err() != nil {
			found <- false
			return
		}
		open = q.put(c, nil, func(o *openQuestion) Question {
			o.server = server
			return draw(Slot{q.page.shell, q.room, q.resized, o.count}, func(a any) { q.close(c, o); answers <- a })
		})
		found <- true
	})
	withdraw := func() {
		q.page.shell.Post(func() {
			if open != nil {
				q.close(c, open)
			}
		})
	}
	select {
	case asked = <-found:
	case <-ctx.Done():
		withdraw() // the question may already be open
	case <-q.page.shell.Ctx.Done():
	}
	if !asked {
		return nil, false, nil
	}
	seen()
	select {
	case a := <-answers:
		return a, true, nil
	case <-ctx.Done():
		withdraw()
		return nil, true, ctx.Err()
	case <-q.page.shell.Ctx.Done():
		return nil, true, nil
	}
}

// calling returns the conversation with a running call of a server. Unless the call must be
// running, it otherwise returns one whose running turn has called the server, or the shown one if
// its last turn has. It returns nil if there is none or more than one.
func (q *questions) calling(server string, running bool) *Conversation {
	var open, called []*Conversation
	for _, c := range q.page.Chats {
		if !c.Running() {
			continue
		}
		switch runs, has := c.calls(server); {
		case runs:
			open = append(open, c)
		case has:
			called = append(called, c)
		}
	}
	if len(open) == 0 && !running {
		open = called
	}
	if len(open) == 0 && !running {
		c := q.page.Conversation()
		if _, has := c.calls(server); has {
			open = append(open, c)
		}
	}
	if len(open) != 1 {
		return nil
	}
	return open[0]
}

// calls reports whether the last turn has called a server, and whether such a call has no result
// yet.
func (c *Conversation) calls(server string) (runs, has bool) {
	cards := c.cardsOf(server)
	return slices.ContainsFunc(cards, view.Card.Open), len(cards) > 0
}

// cardsOf returns the cards of a server's calls in the last turn.
func (c *Conversation) cardsOf(server string) (cards []view.Card) {
	for _, item := range c.Chat.All() {
		switch item := item.(type) {
		case view.User:
			cards = nil
		case view.Card:
			if item.Server == server {
				cards = append(cards, item)
			}
		default:
		}
	}
	return cards
}
