package agent

import (
	"cmp"
	"strings"

	"google.golang.org/genai"

	"goated/agent/contents"
)

// tokenSize is the approximate number of bytes in a token.
const tokenSize = 4

// A ContextUsage breaks down the context of the next request, in tokens. All token counts are
// estimates by size in bytes, scaled to the service's count for the last request.
type ContextUsage struct {
	Limit        int `json:"limit"` // the size below which goated keeps requests
	Instructions int `json:"instructions"`
	Tools        int `json:"tools"`
	Conversation int `json:"conversation"` // messages, answers and calls
	Results      int `json:"results"`      // of tools

	Messages  int `json:"messages"`  // contents of the conversation
	Declared  int `json:"declared"`  // tools
	Responses int `json:"responses"` // results in the request
	Trimmed   int `json:"trimmed"`   // results that are shortened to their beginning
	Servers   int `json:"servers"`   // whose tools are declared
	Noted     int `json:"noted"`     // servers that provide instructions
	Cached    int `json:"cached"`    // tokens of the last request that the service read from its cache
	Stored    int `json:"stored"`    // results that are stored whole and that the model can read by ID
}

// Used returns the total of everything in the request.
func (u ContextUsage) Used() int { return u.Instructions + u.Tools + u.Conversation + u.Results }

// window returns the size of the model's context in tokens, or 0 if it is unknown.
func (s *Session) window() int {
	w, _ := s.Model.(interface{ Window() int })
	switch {
	case w == nil || w.Window() <= 0:
		return s.learned
	case s.learned > 0:
		return min(s.learned, w.Window())
	}
	return w.Window()
}

// limit returns the largest size of a request without images and files, in bytes.
func (s *Session) limit() int {
	limit := cmp.Or(s.Budget, defaultBudget)
	if w := s.window(); w > 0 {
		// Reserve a quarter for the answer and for errors of the estimate.
		limit = min(limit, w*tokenSize*3/4)
	}
	return limit
}

// budget returns the largest size of the contents of a request, in bytes. It is the space that the
// instructions and tools leave in the context, but at least a quarter of the space for requests.
func (s *Session) budget() int {
	limit := s.limit()
	w := s.window()
	if w == 0 || s.Tools == nil {
		return limit
	}
	s.prepare()
	s.declarations.list(s.hasStored)
	room := w * tokenSize * 3 / 4
	taken := len(s.systemText()) + s.declarations.cost*tokenSize
	return min(limit, max(room-taken, room/4))
}

// scaledToContext returns size, in bytes, or an eighth of the model's context if that is smaller.
func scaledToContext(s *Session, size int) int {
	if w := s.window(); w > 0 {
		return min(size, w*tokenSize/8)
	}
	return size
}

// Measure returns the sizes of the parts of the next request. It updates the declarations of the
// tools, as a turn does, so call it only between turns.
func (s *Session) Measure() ContextUsage {
	if s.view.sizes == nil {
		s.view.sizes = make(sizes)
	}
	if s.Tools != nil {
		s.prepare()
	}
	m := ContextUsage{Limit: s.limit() / tokenSize, Cached: s.last.Cached}
	if from, ok := s.Tools.(Instructor); ok {
		for range from.Instructions() {
			m.Noted++
		}
	}
	m.Instructions = len(s.systemText()) / tokenSize
	m.Declared, m.Servers, m.Tools = s.declarations.measure(s.hasStored)
	for _, c := range s.contents() {
		text, media := s.view.sizes.measure(c)
		tokens := text/tokenSize + mediaTokens(media)
		if !contents.IsResponse(c) {
			m.Messages, m.Conversation = m.Messages+1, m.Conversation+tokens
			continue
		}
		m.Results += tokens
		m.Responses += len(c.Parts)
		trimmed, _ := countShortened(c)
		m.Trimmed += trimmed
	}
	for _, c := range s.visible() {
		_, stored := countShortened(c)
		m.Stored += stored
	}
	if actual, guess := s.last.Prompt, s.estimate+m.Instructions+m.Tools; actual > 0 && guess > 0 {
		m.scale(min(max(float64(actual)/float64(guess), 0.5), 2))
	}
	return m
}

// scale multiplies the estimates.
func (u *ContextUsage) scale(by float64) {
	for _, n := range []*int{&u.Instructions, &u.Tools, &u.Conversation, &u.Results} {
		*n = int(float64(*n) * by)
	}
}

// mediaTokens estimates the tokens of images and files from their size in bytes. One tile of an image has
// 258 tokens (ai.google.dev/gemini-api/docs/tokens), so it returns at least that.
func mediaTokens(size int) int {
	if size == 0 {
		return 0
	}
	return max(258, size/1000)
}

// countShortened returns how many results in a content are shortened, and how many of those the model
// can read by ID.
func countShortened(c *genai.Content) (trimmed, stored int) {
	for _, p := range c.Parts {
		if p.FunctionResponse == nil {
			continue
		}
		_, said := responseText(p.FunctionResponse)
		note := said[max(len(said)-400, 0):] // the note is at the end
		switch whole := strings.Contains(note, "Its id is "); {
		case strings.Contains(note, continuesNote), strings.Contains(note, removedNote) && whole:
			trimmed, stored = trimmed+1, stored+1
		case strings.Contains(note, removedNote):
			trimmed++
		}
	}
	return trimmed, stored
}
