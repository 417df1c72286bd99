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

// Run returns the events that the caller shows: [agent.ContextCompacted] or
// [agent.ContextRestored], and the [agent.TurnEnded] with the usage. It returns [agent.ErrNothing] if
// there is nothing to do. The request for a summary may cost something and fail, and the summary may
// save nothing: then the error comes together with the end alone. An error of the history comes together
// with the events; only [store.ErrMoved] comes alone: the caller reads the conversation again.
func (c *Compaction) Run(ctx context.Context) ([]agent.Event, error) {
	if c.Undo {
		undone, ok := c.Session.RestoreContext()
		if !ok {
			return nil, agent.ErrNothing
		}
		return c.save(ctx, undone, agent.TurnEnded{Reason: agent.Done})
	}
	made, err := c.Session.Compact(ctx)
	switch {
	case err == nil:
		return c.save(ctx, made, agent.TurnEnded{Reason: agent.Done, Usage: made.Usage})
	case made.Usage.Total() == 0 && !errors.Is(err, agent.ErrLongSummary):
		return nil, err
	}
	// The user may have stopped the request: what it cost is saved all the same.
	end := agent.TurnEnded{Reason: agent.NoSummary, Usage: made.Usage}
	if errors.Is(err, agent.ErrLongSummary) {
		end.Cause = agent.SummaryLong
	}
	events, unsaved := c.save(context.WithoutCancel(ctx), end)
	switch {
	case errors.Is(unsaved, store.ErrMoved):
		return nil, unsaved
	case unsaved != nil:
		return events, errors.Join(err, unsaved)
	}
	return events, err
}

// save saves the events as a turn, and returns them.
func (c *Compaction) save(ctx context.Context, events ...agent.Event) ([]agent.Event, error) {
	if c.History == nil || c.Conversation.ID() == "" {
		return events, nil
	}
	r, err := c.History.BeginNext(ctx, c.Conversation.ID(), c.Parent, nil)
	if errors.Is(err, store.ErrMoved) {
		return nil, store.ErrMoved
	}
	if r == nil {
		return events, err
	}
	if c.OnBegin != nil {
		c.OnBegin(r.ID)
	}
	err = nil
	for _, e := range events {
		err = errors.Join(err, r.Record(ctx, e))
	}
	err = errors.Join(err, r.End(ctx, nil))
	if errors.Is(err, store.ErrPending) {
		err = nil // it waits in memory
	}
	return events, err
}
