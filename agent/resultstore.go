package agent

import (
	"strings"

	"goated/agent/contents"
)

// A ResultStore keeps large results. internal/results implements it. It is safe for
// concurrent use.
type ResultStore interface {
	Put(text []byte) (id string, err error)
	Get(id string) ([]byte, error)
}

// The largest sizes of results in requests, in bytes. They are smaller for a model with a small
// context: see scaledToContext.
const (
	largeResultSize = 24 << 10            // larger results are stored
	shownResultSize = largeResultSize / 2 // the beginning of a stored result, which the model gets immediately
	resultPageSize  = 24 << 10            // a page of a stored result
)

// immediateBytes returns how many bytes of a result's text the model gets immediately: all of it, or its
// beginning. whole means that the text is never stored.
func immediateBytes(s *Session, text string, whole bool) int {
	limit := scaledToContext(s, largeResultSize)
	switch {
	case whole || s.Results == nil:
		return boundary(text, min(len(text), maxResult))
	case len(text) > limit:
		return boundary(text, limit/2)
	}
	return len(text)
}

// shorten returns the text of a result for the model: all of it, or its beginning and a handle. It
// cuts the text instead if whole is set, if there is no store, or if storing fails.
func (s *Session) shorten(text string, whole bool) string {
	end := immediateBytes(s, text, whole)
	if whole || s.Results == nil || end == len(text) {
		return cut(text)
	}
	id, err := s.Results.Put([]byte(text))
	if err != nil {
		if s.Logger != nil {
			s.Logger.Error("keeping a large result failed", errorAttrs("result error", err)...)
		}
		return cut(text)
	}
	s.hasStored = true
	return contents.Stored(strings.ToValidUTF8(text[:end], "\uFFFD"), end, len(text), id, refPrefix+id)
}
