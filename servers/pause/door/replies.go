package door

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"

	"goated/servers/pause/dialog"
	"goated/servers/pause/track"
)

// ask shows the dialog. The answer is saved before it is sent.
func (s *Server) ask(ctx context.Context, c *client, id string, d *open, question dialog.Question) {
	answer, err := s.o.Ask(ctx, c.caller, question, sync.OnceFunc(func() { _ = s.tracker.Do(d.tracked, track.Display, nil) }))
	if err == nil {
		err = errors.Join(answer.Check(), question.Accept(answer))
	}
	left := ctx.Err() != nil
	switch {
	case err == nil && !answer.Cancelled:
		if err := s.answers.put(d.key, answer); err != nil { // it can still reach a caller that waits
			s.log.Error("keeping an answer", "error", err)
		}
		if !left {
			c.reply(id, d, answer)
			return
		}
		_ = s.tracker.Do(d.tracked, track.Cancel, context.Cause(ctx))
	case left:
		_ = s.tracker.Do(d.tracked, track.Cancel, context.Cause(ctx))
	case err == nil:
		c.reply(id, d, answer)
		return
	default:
		_ = s.tracker.Do(d.tracked, track.Fail, err)
		c.answer(d, failure(frame{ID: d.id, Type: typeOf(d)}, codeInternal, err.Error()))
	}
	c.forget(id, d)
}

func typeOf(d *open) string {
	if d.original {
		return "dialog_response"
	}
	return ""
}

// reply makes the answer of a dialog, and delivers it if the client is connected.
func (c *client) reply(id string, d *open, answer dialog.Answer) {
	if c.server.tracker.State(d.tracked) == track.Pending { // a kept answer needs no dialog
		_ = c.server.tracker.Do(d.tracked, track.Display, nil)
	}
	if answer.Cancelled {
		_ = c.server.tracker.Do(d.tracked, track.Cancel, track.ErrCancelled)
	} else {
		_ = c.server.tracker.Do(d.tracked, track.Answer, nil)
	}
	f := frame{Version: "2.0", ID: d.id}
	text, err := answer.Original(d.kind)
	switch {
	case err != nil:
		f.Error = &rpcError{Code: codeInternal, Message: err.Error()}
	case d.original:
		f = frame{Type: "dialog_response", ID: d.id, Data: text}
	case answer.Cancelled:
		f.Error = &rpcError{Code: codeInternal, Message: "User cancelled the dialog", Data: &cancelledError{true, answer.Time}}
	default:
		if f.Result, err = json.Marshal(answer); err != nil {
			f.Error = &rpcError{Code: codeInternal, Message: err.Error()}
		}
	}
	c.answer(d, f)
}

// answer sets the reply of a dialog and delivers it.
func (c *client) answer(d *open, f frame) {
	c.mu.Lock()
	d.reply = &f
	c.mu.Unlock()
	c.deliver(d)
}

// deliver sends the reply of a dialog that has one. Where the client does not acknowledge,
// a reply that the connection accepts counts as received.
func (c *client) deliver(d *open) {
	c.mu.Lock()
	l, f := c.line, d.reply
	c.mu.Unlock()
	if l == nil || f == nil || !l.send(*f) || l.acknowledges && f.Result != nil {
		return
	}
	c.settle(methodReceived, d.id)
}

// settle ends a dialog: its caller has the answer, or does not wait for it.
func (c *client) settle(method string, raw json.RawMessage) {
	id := string(bytes.TrimSpace(raw))
	c.mu.Lock()
	d, ok := c.dialogs[id]
	answered := ok && d.reply != nil
	c.mu.Unlock()
	switch {
	case !ok:
	case method == methodCancel:
		d.cancel(ErrCallerCancelled)
		if answered { // the answer stays for the next time
			_ = c.server.tracker.Do(d.tracked, track.Fail, ErrCallerCancelled)
			c.forget(id, d)
		}
	case answered:
		if err := c.server.answers.remove(d.key); err != nil {
			c.server.log.Error("removing a kept answer", "error", err)
		}
		_ = c.server.tracker.Do(d.tracked, track.Success, nil)
		c.forget(id, d)
	}
}

func (c *client) forget(id string, d *open) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dialogs[id] == d {
		delete(c.dialogs, id)
	}
}
