package geminitest

import (
	"fmt"
	"net/http"
)

// output sends a response, as a stream or as a whole.
type output interface {
	chunk(chunk)
	raw([]byte)
	fail(*failure)
	close()
}

// stream sends server-sent events as Gemini does: lines "data: {json}" and
// nothing else, no names, comments or end marker.
type stream struct {
	w       http.ResponseWriter
	started bool
}

func (s *stream) chunk(c chunk) { s.raw(c.json()) }

func (s *stream) raw(data []byte) {
	if !s.started {
		// The headers come with the first event, so the client waits for them while
		// the model thinks.
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.started = true
	}
	fmt.Fprintf(s.w, "data: %s\r\n\r\n", data)
	_ = http.NewResponseController(s.w).Flush() // fails only for a client that is gone
}

func (s *stream) fail(f *failure) {
	if s.started {
		s.raw(f.body())
		return
	}
	f.write(s.w)
}

func (s *stream) close() {}

// unary collects the chunks into one.
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

// join appends parts. It joins a text to the text before it.
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
