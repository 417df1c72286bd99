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
	Parent       string // id of the saved turn before

	// The goroutine of Run calls these functions; nil: ignored.
	OnMoved func(store.Thread) // another process has continued the conversation; Session has that now
	OnBegin func(id string)    // the saved turn has this id
	OnLost  func(error)        // something is not saved
}

// Run returns the events that the caller shows: [agent.ContextCompacted] or
// [agent.ContextRestored], and the [agent.TurnEnded] with the usage. It returns [agent.ErrNothing] if
// there is nothing to do. The request for a summary may cost something and fail, and the summary may
// save nothing: then the error comes together with the end alone. So does [store.ErrMoved] if the
// request cost something: another process has continued the conversation, and nothing else was changed.
func (c *Compaction) Run(ctx context.Context) ([]agent.Event, error) {
	if c.Undo {
		return c.undo(ctx)
	}
	made, err := c.Session.Compact(ctx)
	end := agent.TurnEnded{Reason: agent.NoSummary, Usage: made.Usage}
	switch {
	case err == nil:
		events := []agent.Event{made, agent.TurnEnded{Reason: agent.Done, Usage: made.Usage}}
		if !c.save(ctx, events...) {
			return events, nil
		}
		c.Session.RestoreContext() // the summary lacks what the other process added
		if caught := c.catchUp(ctx); !caught || end.Usage.Total() == 0 {
			return nil, store.ErrMoved
		}
		err = store.ErrMoved
	case errors.Is(err, agent.ErrLongSummary):
		end.Cause = agent.SummaryLong
	case end.Usage.Total() == 0:
		return nil, err
	}
	// The user may have stopped the request: what it cost is saved all the same.
	for c.save(context.WithoutCancel(ctx), end) {
		if !c.catchUp(ctx) {
			return nil, err
		}
	}
	return []agent.Event{end}, err
}

// undo ends the summary in force once that is saved.
func (c *Compaction) undo(ctx context.Context) ([]agent.Event, error) {
	last, ok := c.Session.Compacted()
	if !ok {
		return nil, agent.ErrNothing
	}
	events := []agent.Event{agent.ContextRestored{Contents: last.Contents}, agent.TurnEnded{Reason: agent.Done}}
	if c.save(ctx, events...) {
		c.catchUp(ctx)
		return nil, store.ErrMoved
	}
	c.Session.RestoreContext()
	return events, nil
}

// save saves the events as a turn. It reports true, and saves nothing, if another process has
// continued the conversation.
func (c *Compaction) save(ctx context.Context, events ...agent.Event) (moved bool) {
	if c.History == nil || c.Conversation.ID() == "" {
		return false
	}
	r, err := c.History.BeginNext(ctx, c.Conversation.ID(), c.Parent, nil)
	if errors.Is(err, store.ErrMoved) {
		return true
	}
	if r == nil {
		c.lost(err)
		return false
	}
	if c.OnBegin != nil {
		c.OnBegin(r.ID)
	}
	err = nil
	for _, e := range events {
		err = errors.Join(err, r.Record(ctx, e))
	}
	c.lost(errors.Join(err, r.End(ctx, nil)))
	return false
}

// catchUp reads what another process has added, and reports whether it could.
func (c *Compaction) catchUp(ctx context.Context) bool {
	now, err := catchUp(context.WithoutCancel(ctx), c.Session, c.History, c.Conversation.ID())
	if err != nil {
		c.lost(err)
		return false
	}
	c.Parent = now.Conversation.Active
	if c.OnMoved != nil {
		c.OnMoved(now)
	}
	return true
}

// lost reports an error, unless it only says that something waits in memory.
func (c *Compaction) lost(err error) {
	if err != nil && !errors.Is(err, store.ErrPending) && c.OnLost != nil {
		c.OnLost(err)
	}
}
