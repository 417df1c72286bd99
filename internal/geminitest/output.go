package geminitest

import (
	"fmt"
	"net/http"
)

// output sends a response, either as a stream or in one piece.
type output interface {
	chunk(chunk)
	raw([]byte)
	fail(*failure)
	page(code int, html string)
	close()
}

// stream sends server-sent events like Gemini: only lines "data: {json}", without names, comments
// or an end marker.
type stream struct {
	w       http.ResponseWriter
	started bool
	limited bool // left is set
	left    int  // bytes left to send
	quiet   bool // end normally instead of cutting the connection
	ended   bool
}

func (s *stream) chunk(c chunk) { s.raw(c.json()) }

func (s *stream) raw(data []byte) {
	if !s.started {
		// The headers are sent with the first event, so the client waits for them while the model
		// thinks.
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.started = true
	}
	event := fmt.Appendf(nil, "data: %s\r\n\r\n", data)
	if s.ended {
		return
	}
	cut := s.limited && len(event) > s.left
	if cut {
		event = event[:s.left]
	}
	s.left -= len(event)
	_, _ = s.w.Write(event)                     // a client that is gone needs no answer
	_ = http.NewResponseController(s.w).Flush() // fails only if the client has disconnected
	s.ended = cut
	if cut && !s.quiet {
		panic(http.ErrAbortHandler)
	}
}

func (s *stream) fail(f *failure) {
	if s.started {
		s.raw(f.body())
		return
	}
	f.write(s.w)
}

func (s *stream) page(code int, html string) { writePage(s.w, code, html) }

func (s *stream) close() {}

func writePage(w http.ResponseWriter, code int, html string) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(code)
	_, _ = fmt.Fprint(w, html) // a client that is gone needs no answer
}

// unary merges all chunks into one response.
type unary struct {
	w      http.ResponseWriter
	whole  chunk
	broken []byte
	failed bool
}

func (u *unary) chunk(c chunk) {
	candidates := u.whole.Candidates
	u.whole = c
	if len(c.Candidates) == 0 || len(candidates) == 0 {
		return
	}
	u.whole.Candidates[0].Content = content{
		Role:  roleModel,
		Parts: join(candidates[0].Content.Parts, c.Candidates[0].Content.Parts),
	}
}

// join appends parts. It joins consecutive texts.
func join(parts, more []part) []part {
	for _, p := range more {
		last := len(parts) - 1
		if last >= 0 && p.continues(parts[last]) {
			text := *parts[last].Text + *p.Text
			parts[last].Text = &text
			continue
		}
		if p.Text == nil || *p.Text != "" || len(p.ThoughtSignature) > 0 || last < 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

func (p part) continues(before part) bool {
	return p.Text != nil && before.Text != nil && p.Thought == before.Thought &&
		len(p.ThoughtSignature) == 0 && len(before.ThoughtSignature) == 0
}

func (u *unary) raw(data []byte) { u.broken = data }

func (u *unary) fail(f *failure) {
	u.failed = true
	f.write(u.w)
}

func (u *unary) page(code int, html string) {
	u.failed = true
	writePage(u.w, code, html)
}

func (u *unary) close() {
	if u.failed {
		return
	}
	body := u.broken
	if body == nil {
		body = u.whole.json()
	}
	u.w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_, _ = u.w.Write(body) // a client that is gone needs no answer
}
