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

// The largest sizes of results in requests, in bytes. They are less for a small context:
// see [scaled].
const (
	largeResult = 24 << 10        // a larger one is stored
	shownResult = largeResult / 2 // the beginning of it, which the model gets immediately
	pageResult  = 24 << 10        // a page that the model reads
)

// sends returns how much of a result's text the model gets with the result, in bytes: all of it, or
// its beginning. whole says that the text is not stored.
func sends(s *Session, text string, whole bool) int {
	limit := scaled(s, largeResult)
	switch {
	case whole || s.Results == nil:
		return boundary(text, min(len(text), maxResult))
	case len(text) > limit:
		return boundary(text, limit/2)
	}
	return len(text)
}

// shorten returns the text of a result for the model: all of it, or its beginning and a
// handle. If whole, without a store, or if it fails, the text is cut.
func (s *Session) shorten(text string, whole bool) string {
	end := sends(s, text, whole)
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
