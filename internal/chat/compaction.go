package chat

import (
	"context"
	"errors"
	"strings"

	"goated/agent"
	"goated/internal/store"
)

// Instructions joins the user's instructions for every conversation and for one.
func Instructions(all, one string) string {
	var b strings.Builder
	for _, i := range []struct{ title, text string }{
		{"The user's instructions for every conversation:\n", all},
		{"The user's instructions for this conversation, which go before those:\n", one},
	} {
		if text := strings.TrimSpace(i.text); text != "" {
			if b.Len() > 0 {
				b.WriteString("\n\n")
			}
			b.WriteString(i.title + text)
		}
	}
	return b.String()
}

// A Compaction summarises the earlier part of a conversation for the model, between two
// turns, or undoes that. It is saved as a turn of its own, without a message: the history
// only grows. Use it once.
type Compaction struct {
	Session      *agent.Session
	Undo         bool
	History      *store.Store // nil: it is not saved
	Conversation *Identity
	Parent       string          // id of the saved turn before
	OnBegin      func(id string) // the saved turn has this id; nil: ignored
}

// Run returns the event that the caller shows: [agent.ContextCompacted] or
// [agent.ContextRestored]. It returns [agent.ErrNothing] if there is nothing to do. An
// error of the history comes together with the event; only [store.ErrMoved] comes alone: the
// caller reads the conversation again.
func (c *Compaction) Run(ctx context.Context) (agent.Event, error) {
	var e agent.Event
	var usage agent.Usage
	if c.Undo {
		undone, ok := c.Session.RestoreContext()
		if !ok {
			return nil, agent.ErrNothing
		}
		e = undone
	} else {
		made, err := c.Session.Compact(ctx)
		if err != nil {
			return nil, err
		}
		e, usage = made, made.Usage
	}
	if c.History == nil || c.Conversation.ID() == "" {
		return e, nil
	}
	r, err := c.History.BeginNext(ctx, c.Conversation.ID(), c.Parent, nil)
	if errors.Is(err, store.ErrMoved) {
		return nil, store.ErrMoved
	}
	if r == nil {
		return e, err
	}
	if c.OnBegin != nil {
		c.OnBegin(r.ID)
	}
	err = errors.Join(r.Record(ctx, e), r.Record(ctx, agent.TurnEnded{Reason: agent.Done, Usage: usage}), r.End(ctx, nil))
	if errors.Is(err, store.ErrPending) {
		err = nil // it waits in memory
	}
	return e, err
}
