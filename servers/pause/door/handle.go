package door

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"goated/servers/pause/dialog"
	"goated/servers/pause/track"
)

// handle handles one message of a client.
func (s *Server) handle(c *client, l *line, text []byte) {
	var f frame
	// json.Unmarshal would replace what is no UTF-8, and show the user another question.
	if !utf8.Valid(text) || json.Unmarshal(text, &f) != nil {
		l.send(frame{Version: "2.0", ID: json.RawMessage("null"), Error: &rpcError{Code: codeParse, Message: "Parse error"}})
		return
	}
	switch {
	case f.Type == "ping":
		l.send(frame{Type: "pong"})
	case f.Type == "dialog_request":
		s.request(c, l, f, f.DialogType, f.Parameters, true)
	case f.Type != "":
		// The original program has messages of its own settings. They are no requests.
	case f.Version != "2.0" || f.Method == "":
		l.send(failure(f, codeRequest, "Invalid request"))
	case f.Method == methodPing:
		l.send(frame{Version: "2.0", ID: f.ID, Result: json.RawMessage("{}")})
	case f.Method == methodCancel, f.Method == methodReceived:
		var p cancelParams
		if json.Unmarshal(f.Params, &p) == nil {
			c.settle(f.Method, p.RequestID)
		}
	case f.Method == methodCall:
		var p callParams
		if err := json.Unmarshal(f.Params, &p); err != nil {
			l.send(failure(f, codeParams, "Invalid params: "+err.Error()))
			return
		}
		s.request(c, l, f, string(p.Name), p.Arguments, false)
	default:
		l.send(failure(f, codeMethod, "Method not found"))
	}
}

func failure(f frame, code int, message string) frame {
	id := f.ID
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	if f.Type != "" {
		return frame{Type: "dialog_response", ID: id, Error: &rpcError{Code: code, Message: message}}
	}
	return frame{Version: "2.0", ID: id, Error: &rpcError{Code: code, Message: message}}
}

// request opens a dialog, or connects the caller to the one that it has opened with
// the same id before, or gives the answer that the user gave to the same question.
func (s *Server) request(c *client, l *line, f frame, kind string, arguments json.RawMessage, original bool) {
	id := string(bytes.TrimSpace(f.ID))
	if id == "" || id == "null" || id[0] == '{' || id[0] == '[' || len(id) > 200 {
		l.send(failure(f, codeRequest, "Invalid request: the id has to be a string or a number"))
		return
	}
	question, err := dialog.Parse(dialog.Kind(kind), arguments)
	if err != nil {
		code := codeParams
		if errors.Is(err, dialog.ErrKind) {
			code = codeMethod
		}
		l.send(failure(f, code, err.Error()))
		return
	}
	d := &open{id: f.ID, kind: question.Kind(), key: key(c.caller, question.Kind(), question), tracked: c.name + "/" + id, original: original}
	ctx, cancel := context.WithCancelCause(s.ctx)
	d.cancel = cancel
	before, err := c.add(id, d)
	switch {
	case err != nil:
		cancel(nil)
		l.send(failure(f, codeLimit, err.Error()))
		return
	case before != nil: // asked again after a reconnect
		cancel(nil)
		_ = s.tracker.Track(d.tracked, kind, c.caller.Name)
		c.deliver(before)
		return
	}
	_ = s.tracker.Track(d.tracked, kind, c.caller.Name)
	if answer, ok := s.answers.get(d.key); ok {
		cancel(nil)
		c.reply(id, d, answer)
		return
	}
	if !s.start(func() { defer cancel(nil); s.ask(ctx, c, id, d, question) }) {
		cancel(nil)
		_ = s.tracker.Do(d.tracked, track.Cancel, errEnds)
		c.forget(id, d)
	}
}

// add adds a dialog to those of the client. before is the one with the same id.
func (c *client) add(id string, d *open) (before *open, err error) {
	all := c.server.count()
	c.mu.Lock()
	defer c.mu.Unlock()
	if before, ok := c.dialogs[id]; ok {
		return before, nil
	}
	switch {
	case !c.allow(time.Now()):
		return nil, fmt.Errorf("rate limit: at most %d dialogs a minute", callsAMinute)
	case len(c.dialogs) >= maxDialogs || all >= maxAll:
		return nil, errors.New("too many dialogs wait for the user")
	}
	c.dialogs[id] = d
	return nil, nil
}

// allow counts a call, unless there were as many in the last minute as the limit allows.
func (c *client) allow(now time.Time) bool {
	c.calls = slices.DeleteFunc(c.calls, func(at time.Time) bool { return now.Sub(at) >= time.Minute })
	if len(c.calls) >= callsAMinute {
		return false
	}
	c.calls = append(c.calls, now)
	return true
}

func (s *Server) count() int {
	s.mu.Lock()
	clients := make([]*client, 0, len(s.clients))
	for _, c := range s.clients {
		clients = append(clients, c)
	}
	s.mu.Unlock()
	n := 0
	for _, c := range clients {
		c.mu.Lock()
		n += len(c.dialogs)
		c.mu.Unlock()
	}
	return n
}
