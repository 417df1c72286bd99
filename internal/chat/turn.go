// Package chat runs the turns of a conversation and saves them.
//
// It owns durability: a message is saved before the model gets it, and each
// event is saved before the session acts on it. A tool call is therefore on the
// disk before the tool runs. If the history fails, the turn goes on unsaved and
// the caller gets the reason.
//
// The window and the terminal use this package in the same way. It must not
// know how a turn is shown: it never imports a package of the window.
package chat

import (
	"context"
	"errors"
	"iter"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/internal/wording"
)

// A Turn is one message of the user and everything that follows from it. Use
// it once.
type Turn struct {
	Session      *agent.Session
	History      *store.Store  // nil: the turn is not saved
	Conversation *Identity     // needed only with a History
	Parent       string        // id of the saved turn before; empty: none
	Parts        []*genai.Part // may have names of files; empty: continue after a failure
	// Next says that the turn follows the last one of the conversation. If another process has
	// continued the conversation since, Run reads it again and follows that. Otherwise the turn
	// is another version of what follows Parent.
	Next bool

	// The goroutine of Run calls these functions; nil: ignored.
	OnConversation func(id string)           // the conversation is saved under id
	OnMoved        func(store.Thread)        // another process has continued the conversation; Session has that now
	OnBegin        func(id, title string)    // the turn has this id, and its conversation this title; empty if it is not known yet
	OnLost         func(end bool, err error) // something is not saved; end: the turn's end
}

// Run sends the message and yields the events of the turn, each after it is
// saved. An error ends the turn and is yielded last. If ctx ends or the caller
// stops, the turn is saved with a valid end.
func (t *Turn) Run(ctx context.Context) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		recorder, err := t.begin(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		before := len(t.Session.History())
		var failed error
		for event, err := range t.Session.Send(ctx, store.Unnamed(t.Parts)...) {
			if err != nil {
				failed = err
			} else {
				t.record(ctx, recorder, event, before)
			}
			if !yield(event, err) {
				break
			}
		}
		t.end(ctx, recorder, t.Session.History()[before:], failed)
	}
}

// begin saves the message. It returns no recorder if nothing can be saved, and an error if the
// turn must not run.
func (t *Turn) begin(ctx context.Context) (*store.Recorder, error) {
	if t.History == nil {
		return nil, nil
	}
	id, err := t.Conversation.In(ctx, t.History)
	if err != nil {
		t.lost(false, err)
		return nil, nil
	}
	if t.OnConversation != nil {
		t.OnConversation(id)
	}
	recorder, err := t.add(ctx, id)
	if errors.Is(err, store.ErrMoved) {
		return nil, store.ErrMoved
	}
	if recorder == nil {
		t.lost(false, err)
		return nil, nil
	}
	// An error beside a recorder means that the turn waits in memory, and
	// store.Pending reports that. A waiting turn makes a title of its own message,
	// which is the conversation's title only if the turn is the first.
	title := recorder.Title
	if err != nil && t.Parent != "" {
		title = ""
	}
	if t.OnBegin != nil {
		t.OnBegin(recorder.ID, title)
	}
	return recorder, nil
}

// add adds the turn to the history. A message follows what another process said meanwhile. To
// continue after a failure makes no sense then: that is [store.ErrMoved].
func (t *Turn) add(ctx context.Context, conversation string) (*store.Recorder, error) {
	for t.Next {
		recorder, err := t.History.BeginNext(ctx, conversation, t.Parent, t.Parts)
		if !errors.Is(err, store.ErrMoved) || len(t.Parts) == 0 {
			return recorder, err
		}
		now, err := catchUp(ctx, t.Session, t.History, conversation)
		if err != nil {
			return nil, err
		}
		t.Parent = now.Conversation.Active
		if t.OnMoved != nil {
			t.OnMoved(now)
		}
	}
	return t.History.Begin(ctx, conversation, t.Parent, t.Parts)
}

// catchUp gives a session what another process has added to its conversation, and returns that.
func catchUp(ctx context.Context, session *agent.Session, history *store.Store, conversation string) (store.Thread, error) {
	now, err := history.Thread(ctx, conversation)
	if err == nil {
		agent.CatchUp(session, now.History(), now.Marks()...)
	}
	return now, err
}

// record saves an event and the model's history after it, which has grown from before
// on. The history does not change during text, thoughts and progress.
func (t *Turn) record(ctx context.Context, r *store.Recorder, event agent.Event, before int) {
	if r == nil {
		return
	}
	switch event.(type) {
	case agent.TextDelta, agent.ThoughtDelta, agent.ToolProgressed:
		t.lost(false, r.Record(ctx, event))
	default:
		t.lost(false, r.Step(ctx, event, t.Session.History()[before:]))
	}
}

// end saves how the turn ended: of a failure of the model, the sentence that the
// user read.
func (t *Turn) end(ctx context.Context, r *store.Recorder, contents []*genai.Content, failed error) {
	if r != nil {
		if f := (*agent.Failure)(nil); errors.As(failed, &f) {
			failed = errors.New(wording.Error(f))
		}
		t.lost(true, errors.Join(r.Contents(ctx, contents), r.End(ctx, failed)))
	}
}

// lost reports an error, unless it only says that something waits in memory.
func (t *Turn) lost(end bool, err error) {
	if err != nil && !errors.Is(err, store.ErrPending) && t.OnLost != nil {
		t.OnLost(end, err)
	}
}
