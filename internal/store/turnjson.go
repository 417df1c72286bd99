package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"google.golang.org/genai"

	"goated/agent"
)

func exportTurn(t Turn) (exportedTurn, error) {
	e := exportedTurn{
		ID: t.ID, Parent: t.Parent, Started: t.Started.UTC(), Error: t.Error,
		Events: []json.RawMessage{}, Contents: []json.RawMessage{},
	}
	if !t.Ended.IsZero() {
		ended := t.Ended.UTC()
		e.Ended = &ended
	}
	user, err := encodeParts(t.User)
	if err != nil {
		return e, fmt.Errorf("user: %w", err)
	}
	e.User = json.RawMessage(user)
	for i, event := range t.Events {
		body, err := agent.EncodeEvent(event)
		if err != nil {
			return e, fmt.Errorf("event %d: %w", i+1, err)
		}
		e.Events = append(e.Events, body)
	}
	for i, c := range t.Contents {
		body, err := encodeContent(c)
		if err != nil {
			return e, fmt.Errorf("content %d: %w", i+1, err)
		}
		e.Contents = append(e.Contents, json.RawMessage(body))
	}
	return e, nil
}

// importTurn validates and decodes a turn.
func importTurn(e exportedTurn) (Turn, error) {
	t := Turn{ID: e.ID, Parent: e.Parent, Started: e.Started, Error: e.Error}
	if !isStorableTime(e.Started) {
		return t, fmt.Errorf("started at %s, which is out of range", e.Started)
	}
	if e.Ended != nil {
		if !isStorableTime(*e.Ended) {
			return t, fmt.Errorf("ended at %s, which is out of range", e.Ended)
		}
		t.Ended = *e.Ended
	}
	if len(e.User) > 0 {
		if err := json.Unmarshal(e.User, &t.User); err != nil {
			return t, fmt.Errorf("user: %w", err)
		}
	}
	for i, body := range e.Events {
		event, err := agent.DecodeEvent(body)
		if err != nil {
			return t, fmt.Errorf("event %d: %w", i+1, err)
		}
		t.Events = appendEvent(t.Events, event)
	}
	for i, body := range e.Contents {
		var c *genai.Content
		if err := decodeContent(body, &c); err != nil {
			return t, fmt.Errorf("content %d: %w", i+1, err)
		}
		t.Contents = append(t.Contents, c)
	}
	return t, nil
}

// isStorableTime reports whether a time can be stored in nanoseconds since 1970. 0 is reserved for no time.
func isStorableTime(t time.Time) bool {
	return t.After(time.Unix(0, math.MinInt64)) && t.Before(time.Unix(0, math.MaxInt64)) && t.UnixNano() != 0
}

var errNoParent = errors.New("its parent does not come before it")
