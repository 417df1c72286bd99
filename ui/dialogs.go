package ui

import (
	"context"
	"sync"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/oauth"
	"goated/internal/sandbox"
	"goated/ui/approval"
	"goated/ui/chats"
	"goated/ui/dialogs"
	"goated/ui/servers"
	"goated/ui/shell"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Dialogs are the questions that goroutines ask the user. They appear one at a time in the
// order of arrival. The methods that ask block until the user answers or ctx ends. All methods
// are safe for concurrent use. Questions may arrive before the window exists; it shows them
// when it opens. After the window has closed, every question is cancelled immediately.
type Dialogs struct {
	*dialogs.Queue
	attention attention

	mu       sync.Mutex
	remember func(config.Launch) // saves that a server may run without a sandbox; nil: no window
	inline   inline              // asks in a conversation; nil: no window
	pictures Pictures            // of the desktop; nil: none
	show     func(on bool)       // hides and shows the window, on the UI goroutine
	permit   client.PermitFunc   // asks for a permission that a waiting call needs; nil: no window
}

// An inline asks a server's question in the conversation that calls the server. It also reports
// whether there is such a conversation.
type inline interface {
	Elicit(ctx context.Context, from client.Asker, p *mcp.ElicitParams) (r *mcp.ElicitResult, asked bool, err error)
	Inline(ctx context.Context, server string, draw func(s chats.Slot, answer func(any)) chats.Question) (answer any, asked bool, err error)
	InCall(ctx context.Context, server string, seen func(), draw func(s chats.Slot, answer func(any)) chats.Question) (answer any, asked bool, err error)
}

// askServer asks the user on behalf of a server: in the conversation that calls the server if
// there is one, otherwise on a sheet. It blocks until the user answers or ctx ends.
func (d *Dialogs) askServer(ctx context.Context, from client.Asker, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if in := d.conversations(); in != nil {
		if r, asked, err := in.Elicit(ctx, from, p); asked {
			return r, err
		}
	}
	return d.Queue.Elicit(ctx, from, p)
}

// Put asks a question about a server: in the conversation that calls the server if there is
// one, otherwise on a sheet. It blocks until the user answers or ctx ends.
func (d *Dialogs) Put(ctx context.Context, q shell.Question) (any, error) {
	if in := d.conversations(); in != nil && q.Card != nil {
		answer, asked, err := in.Inline(ctx, q.Server, func(s chats.Slot, answer func(any)) chats.Question { return q.Card(s.Shell, s.Count, answer) })
		if asked {
			return answer, err
		}
	}
	return d.Queue.Put(ctx, q)
}

// putInCall asks a question about a server in a conversation in which a call to the server
// waits. It calls seen when the question is visible. If no conversation shows such a call, it
// asks nothing.
func (d *Dialogs) putInCall(ctx context.Context, q shell.Question, seen func()) (any, error) {
	in := d.conversations()
	if in == nil {
		return nil, nil
	}
	answer, _, err := in.InCall(ctx, q.Server, seen, func(s chats.Slot, answer func(any)) chats.Question {
		card := q.Card(s.Shell, s.Count, answer)
		if p, ok := card.(*approval.Permission); ok {
			p.Resized = s.Resized
		}
		return card
	})
	return answer, err
}

// Permit asks whether a server may do something that one of its calls waits for. It fits
// [client.ProcessOptions].
func (d *Dialogs) Permit(ctx context.Context, from client.Asker, p sandbox.Permission, held func()) bool {
	d.mu.Lock()
	permit := d.permit
	d.mu.Unlock()
	return permit != nil && permit(ctx, from, p, held)
}

// onPermit sets the function that Permit calls.
func (d *Dialogs) onPermit(permit client.PermitFunc) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.permit = permit
}

// conversations returns the conversations that can ask, or nil without a window.
func (d *Dialogs) conversations() inline {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.inline
}

// onInline sets the conversations that can ask.
func (d *Dialogs) onInline(in inline) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.inline = in
}

// NewDialogs returns an empty queue.
func NewDialogs() *Dialogs { return &Dialogs{Queue: &dialogs.Queue{}} }

// Unconfined asks whether a server may run although this system cannot sandbox it. The window
// saves the answer if it is yes. It fits client.Options.
func (d *Dialogs) Unconfined(ctx context.Context, name string, c client.Config) bool {
	l := consent.LaunchOf(c)
	if !servers.AskPermission(ctx, d.Put, servers.PermissionRequest{Name: name, Command: servers.LaunchLine(l), Unconfined: true}, "").Allow {
		return false
	}
	d.mu.Lock()
	remember := d.remember
	d.mu.Unlock()
	if remember != nil {
		remember(l)
	}
	return true
}

// Repeat asks whether a call may run a second time. It asks in the conversation that makes the
// call, if there is one.
func (d *Dialogs) Repeat(ctx context.Context, from client.Asker, tool string) bool {
	return approval.AskRepeat(ctx, d.Put, from, tool)
}

// SignIn asks the user to sign in to a server with a URL. The browser opens only after a click.
func (d *Dialogs) SignIn(ctx context.Context, r oauth.Request) error {
	return dialogs.AskSignIn(ctx, d.Put, r)
}

// onUnconfined sets the function that saves that a server may run without a sandbox.
func (d *Dialogs) onUnconfined(remember func(config.Launch)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remember = remember
}
