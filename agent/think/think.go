// Package think separates the thoughts of a reasoning model from its answer if a service leaves
// both in one text. DeepSeek R1, QwQ and Qwen 3 write
//
//	<think>
//	thoughts
//	</think>
//
//	answer
//
// The chat templates of DeepSeek R1 and Qwen3-Thinking already contain the opening tag, so the text
// begins with the thoughts. Only tags at the start count, because an answer may mention tags.
//
// The package handles only text. It must not depend on the protocols of models.
package think

import (
	"bytes"
	"strings"

	"goated/internal/lazyregexp"
)

const (
	opening = "<think>"
	closing = "</think>"
	space   = " \t\r\n"
)

// alwaysThinks matches the names of models whose chat template contains the opening tag.
var alwaysThinks = lazyregexp.New(`(?i)(^|[^a-z0-9])(r1|qwq)([^a-z0-9]|$)|thinking`)

// AlwaysThinks reports whether the model with this name begins every answer with thoughts,
// possibly without an opening tag.
func AlwaysThinks(model string) bool { return alwaysThinks.MatchString(model) }

// A state is the position in an answer.
type state int

const (
	starting  state = iota // only space and a part of the opening tag so far
	guessing               // in text without an opening tag, which may be thoughts
	thinking               // after the opening tag
	thought                // after the closing tag and space
	answering              // in the answer
)

// A Splitter separates one streamed text into thoughts and answer. The zero value is ready to use.
// It is not safe for concurrent use.
type Splitter struct {
	// Headless means that the opening tag may be missing. The Splitter then holds text back until
	// the closing tag or the end of the text shows what it is.
	Headless bool

	state state
	held  []byte
	told  bool // some thoughts were returned
}

// Separated tells the Splitter that the service separates thoughts itself, so no opening tag is
// missing.
func (s *Splitter) Separated() { s.Headless = false }

// Add takes the next piece of the text. It returns the thoughts and the part of the answer that it
// can now distinguish. The thoughts come before the answer.
func (s *Splitter) Add(piece string) (thoughts, answer string) {
	if s.state == answering {
		return "", piece
	}
	from := max(0, len(s.held)-len(closing)+1) // there is no closing tag before this index
	s.held = append(s.held, piece...)
	if s.state == starting {
		text := bytes.TrimLeft(s.held, space)
		switch {
		case bytes.HasPrefix(text, []byte(opening)):
			s.state, s.held, from = thinking, text[len(opening):], 0
		case strings.HasPrefix(opening, string(text)):
			return "", ""
		case s.Headless:
			s.state, from = guessing, 0
		default:
			return "", s.answer(s.held)
		}
	}
	if s.state != thought {
		at := bytes.Index(s.held[from:], []byte(closing))
		if at < 0 {
			return s.certain(), ""
		}
		before, after := s.held[:from+at], s.held[from+at+len(closing):]
		if s.state == guessing && bytes.Contains(before, []byte(opening)) {
			return "", s.answer(s.held)
		}
		thoughts = s.emit(bytes.TrimRight(before, space))
		s.state, s.held = thought, after
	}
	if s.held = bytes.TrimLeft(s.held, space); len(s.held) > 0 {
		answer = s.answer(s.held)
	}
	return thoughts, answer
}

// End returns the text that Add held back. complete means that the model finished its answer; text
// without any tag is then the answer.
func (s *Splitter) End(complete bool) (thoughts, answer string) {
	held := s.held
	switch {
	case s.state == thinking, s.state == guessing && !complete:
		thoughts = s.emit(bytes.TrimRight(held, space))
		s.held = nil
	case len(held) > 0:
		answer = s.answer(held)
	}
	return thoughts, answer
}

// certain removes and returns the held thoughts that cannot be the beginning of a closing tag. It
// leaves trailing space, which may precede the tag.
func (s *Splitter) certain() string {
	if s.state == guessing {
		return ""
	}
	n := len(s.held)
	for k := min(len(closing)-1, n); k > 0; k-- {
		if strings.HasPrefix(closing, string(s.held[n-k:])) {
			n -= k
			break
		}
	}
	n = len(bytes.TrimRight(s.held[:n], space))
	out := s.emit(s.held[:n])
	s.held = s.held[n:]
	return out
}

// emit returns thoughts, without the space at their beginning.
func (s *Splitter) emit(text []byte) string {
	if !s.told {
		text = bytes.TrimLeft(text, space)
	}
	s.told = s.told || len(text) > 0
	return string(text)
}

// answer returns the beginning of the answer and changes to the state answering.
func (s *Splitter) answer(text []byte) string {
	out := string(text)
	s.state, s.held = answering, nil
	return out
}

// Answer returns the answer in a complete text that may contain thoughts, for example from an older
// history. headless reports that the opening tag is missing. In that case, the closing tag counts
// only on a line of its own and outside of code.
func Answer(text string) (answer string, headless bool) {
	if !strings.Contains(text, closing) {
		return text, false
	}
	if rest, ok := strings.CutPrefix(strings.TrimLeft(text, space), opening); ok {
		_, after, _ := strings.Cut(rest, closing)
		return strings.TrimLeft(after, space), false
	}
	end, code := 0, false
	for line := range strings.Lines(text) {
		end += len(line)
		switch bare := strings.TrimSpace(line); {
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			code = !code
		case code:
		case bare == closing:
			return strings.TrimLeft(text[end:], space), true
		case strings.Contains(line, opening):
			return text, false
		}
	}
	return text, false
}
