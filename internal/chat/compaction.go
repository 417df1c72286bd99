package chat

import (
	"context"
	"errors"
	"strings"

	"goated/agent"
	"goated/internal/store"
)

// JoinInstructions joins the user's instructions for every conversation and those for one conversation.
// Either may be empty.
func JoinInstructions(all, one string) string {
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

// A Compaction summarises the earlier part of a conversation for the model between two turns, or
// undoes the summary. It is saved as a separate turn without a message, because the history only
// grows. Use it once.
type Compaction struct {
	Session      *agent.Session
	Undo         bool
	History      *store.Store // nil: the compaction is not saved
	Conversation *Identity
	Parent       string // ID of the previous saved turn

	// Run calls these functions on its goroutine. They may be nil.
	OnMoved func(store.Thread) // another process has continued the conversation; Session is up to date again
	OnBegin func(id string)    // the turn is saved under this ID
	OnLost  func(error)        // something could not be saved
}

// Run returns the events that the caller shows: [agent.ContextCompacted] or [agent.ContextRestored],
// and the [agent.TurnEnded] with the usage. It returns [agent.ErrNothing] if there is nothing to do. If
// the request for a summary used tokens but failed, or if the summary saves nothing, it returns the
// error together with only the TurnEnded. It does the same with [store.ErrContinuedElsewhere] if another process has
// continued the conversation in the meantime. Nothing else changes then.
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
			return nil, store.ErrContinuedElsewhere
		}
		err = store.ErrContinuedElsewhere
	case errors.Is(err, agent.ErrLongSummary):
		end.Cause = agent.SummaryLong
	case end.Usage.Total() == 0:
		return nil, err
	}
	// Save the usage even if the user stopped the request.
	for c.save(context.WithoutCancel(ctx), end) {
		if !c.catchUp(ctx) {
			return nil, err
		}
	}
	return []agent.Event{end}, err
}

// undo removes the summary in force after it has saved that.
func (c *Compaction) undo(ctx context.Context) ([]agent.Event, error) {
	last, ok := c.Session.Summary()
	if !ok {
		return nil, agent.ErrNothing
	}
	events := []agent.Event{agent.ContextRestored{Contents: last.Contents}, agent.TurnEnded{Reason: agent.Done}}
	if c.save(ctx, events...) {
		c.catchUp(ctx)
		return nil, store.ErrContinuedElsewhere
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
	if errors.Is(err, store.ErrContinuedElsewhere) {
		return true
	}
	if r == nil {
		c.reportSaveError(err)
		return false
	}
	if c.OnBegin != nil {
		c.OnBegin(r.ID)
	}
	err = nil
	for _, e := range events {
		err = errors.Join(err, r.Record(ctx, e))
	}
	c.reportSaveError(errors.Join(err, r.End(ctx, nil)))
	return false
}

// catchUp loads the turns that another process has added. It reports whether it could.
func (c *Compaction) catchUp(ctx context.Context) bool {
	now, err := catchUp(context.WithoutCancel(ctx), c.Session, c.History, c.Conversation.ID())
	if err != nil {
		c.reportSaveError(err)
		return false
	}
	c.Parent = now.Conversation.Active
	if c.OnMoved != nil {
		c.OnMoved(now)
	}
	return true
}

// reportSaveError reports an error, except one that only means that something waits in memory.
func (c *Compaction) reportSaveError(err error) {
	if err != nil && !errors.Is(err, store.ErrPending) && c.OnLost != nil {
		c.OnLost(err)
	}
}
