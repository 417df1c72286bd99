package dialogsocket

import (
	"encoding/json"
	"errors"
	"time"
	"unicode/utf8"

	"goated/servers/pause/dialog"
)

// handle handles one message of a client.
func (s *Server) handle(c *client, l *line, text []byte) {
	var f frame
	// json.Unmarshal would replace invalid UTF-8, and the user would see another question.
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
		// The original program also sends messages about its own settings. They are not requests.
	case f.Version != "2.0" || f.Method == "":
		l.send(failure(f, codeRequest, "Invalid request"))
	case f.Method == methodPing:
		l.send(frame{Version: "2.0", ID: f.ID, Result: json.RawMessage("{}")})
	case f.Method == methodCancel, f.Method == methodReceived:
		var p cancelParams
		if json.Unmarshal(f.Params, &p) == nil {
			s.handleReceipt(c, f.Method, p.RequestID)
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

// request opens a dialog. If the caller already opened one with the same id or the same question,
// it connects the caller to that dialog. If the user already answered the same question, it returns
// that answer.
func (s *Server) request(c *client, l *line, f frame, kind string, arguments json.RawMessage, original bool) {
	id := requestName(f.ID)
	if id == "" || id == "null" || id[0] == '{' || id[0] == '[' || len(id) > 200 {
		l.send(failure(f, codeRequest, "Invalid request: the id must be a string or a number"))
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
	d := &openRequest{client: c, id: f.ID, kind: question.Kind(), key: key(c.caller, c.name, question), tracked: c.name + "/" + id, original: original}
	s.mu.Lock()
	defer s.mu.Unlock()
	if before, ok := c.dialogs[id]; ok { // the caller asks again after a reconnect
		if !before.ended {
			_ = s.tracker.Track(before.tracked, kind, c.caller.Name)
		}
		s.deliver(before)
		return
	}
	if err := s.checkLimits(c, l, time.Now()); err != nil {
		l.send(failure(f, codeLimit, err.Error()))
		return
	}
	c.dialogs[id] = d
	_ = s.tracker.Track(d.tracked, kind, c.caller.Name)
	if p := s.abandonedPrompt(c, d.key); p != nil {
		s.attachRequest(p, d)
		return
	}
	kept, ok := s.answers.get(d.key)
	switch {
	case !ok:
		s.show(d, question, nil)
	case s.reusesAnswer(kept, d, question):
		s.reply(d, kept.Answer, kept.ID)
	default:
		s.show(d, question, &kept.Answer)
	}
}
