package dialogsocket

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"goated/servers/pause/dialog"
	"goated/servers/pause/track"
)

// show opens a dialog for a request. former is the user's earlier answer, or nil. The caller holds
// mu.
func (s *Server) show(d *openRequest, question dialog.Question, former *dialog.Answer) {
	if s.ctx.Err() != nil {
		s.end(d, track.Cancel, errQuitting)
		return
	}
	ctx, cancel := context.WithCancelCause(s.ctx)
	p := &prompt{key: d.key, client: d.client, owner: d, cancel: cancel, waits: make(chan bool, 1)}
	d.prompt = p
	s.prompts[p] = true
	r := Request{Caller: d.client.caller, Question: question, Former: former, Waits: p.waits, Shown: sync.OnceFunc(func() { s.shown(p) })}
	from := origin{d.client.name, d.name()}
	s.work.Go(func() {
		defer cancel(nil)
		s.ask(ctx, p, r, from)
	})
}

// shown records that the user can see a dialog.
func (s *Server) shown(p *prompt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.shown = true
	if p.owner != nil {
		_ = s.tracker.Do(p.owner.tracked, track.Display, nil)
	}
}

// ask shows a dialog and passes on its answer. It saves the answer before it sends it. Only after
// that it determines who gets the answer, because the caller may give up, leave or ask again while
// the answer is written to the disk.
func (s *Server) ask(ctx context.Context, p *prompt, r Request, from origin) {
	answer, err := s.o.Ask(ctx, r)
	if err == nil {
		err = errors.Join(answer.Check(), r.Question.Accept(answer))
	}
	kept := ""
	if err == nil && !answer.Cancelled {
		var fault error
		if kept, fault = s.answers.put(p.key, answer, from); fault != nil { // a waiting caller can still get it
			s.log.Error("keeping an answer", "error", fault)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.prompts, p)
	d := p.owner
	switch {
	case d == nil: // no caller waits, and the answer is stored
	case err == nil:
		s.reply(d, answer, kept)
	case s.ctx.Err() != nil:
		s.end(d, track.Cancel, errQuitting)
	default:
		if l := d.client.line; l != nil {
			l.send(failure(frame{ID: d.id, Type: typeOf(d)}, codeInternal, err.Error()))
		}
		s.end(d, track.Fail, err)
	}
}

func typeOf(d *openRequest) string {
	if d.original {
		return "dialog_response"
	}
	return ""
}

// reply creates the reply to a request, and delivers it if the client is connected. The caller
// holds mu.
func (s *Server) reply(d *openRequest, answer dialog.Answer, kept string) {
	if s.tracker.State(d.tracked) == track.Pending { // a stored answer needs no dialog
		_ = s.tracker.Do(d.tracked, track.Display, nil)
	}
	if answer.Cancelled {
		d.ended = true
		_ = s.tracker.Do(d.tracked, track.Cancel, track.ErrCancelled)
	} else {
		_ = s.tracker.Do(d.tracked, track.Answer, nil)
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
	d.reply, d.kept = &f, kept
	s.deliver(d)
}

// deliver sends the reply of a request, if there is one. If the client does not send
// acknowledgements, a reply counts as received when the connection accepts it. The caller holds mu.
func (s *Server) deliver(d *openRequest) {
	l := d.client.line
	if l == nil || d.reply == nil || !l.send(*d.reply) || l.acknowledges && d.reply.Result != nil {
		return
	}
	s.markReceived(d)
}

// markReceived ends a request whose caller has received the answer. The caller holds mu.
func (s *Server) markReceived(d *openRequest) {
	if s.answers.remove(d.key, d.kept) {
		s.saveAnswers()
	}
	s.end(d, track.Success, nil)
}

// saveAnswers saves the answers after one was removed. It does so in a goroutine, because the disk may be
// slow and the caller holds mu.
func (s *Server) saveAnswers() {
	s.work.Go(func() {
		if err := s.answers.save(); err != nil {
			s.log.Error("removing a kept answer", "error", err)
		}
	})
}

// handleReceipt handles the message that a caller has received its answer, or no longer waits for it.
func (s *Server) handleReceipt(c *client, method string, raw json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, ok := c.dialogs[requestName(raw)]
	switch {
	case !ok && method == methodReceived: // the request ended with its connection or with goated
		if s.answers.removeOf(origin{c.name, requestName(raw)}) {
			s.saveAnswers()
		}
	case !ok:
	case method == methodCancel:
		s.abandon(d, ErrCallerCancelled)
		s.limitAbandoned(c)
	case d.reply != nil:
		s.markReceived(d)
	}
}

func requestName(id json.RawMessage) string { return string(bytes.TrimSpace(id)) }

// reusesAnswer reports whether a caller gets a stored answer without a dialog. The same request always
// gets it, because its caller has waited. Another request gets it within an hour, if it comes from
// the same process or if the process that asked has exited. It does not get it if the user has to
// confirm the answer. The caller holds mu.
func (s *Server) reusesAnswer(k keptAnswer, d *openRequest, question dialog.Question) bool {
	switch from := (origin{d.client.name, d.name()}); {
	case k.origin == from:
		return true
	case dialog.MustConfirm(question, k.Answer) || time.Since(k.Time) > holdAnswers:
		return false
	}
	other, ok := s.clients[k.Client]
	return k.Client == d.client.name || !ok || !other.connected()
}
