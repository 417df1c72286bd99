// Package chat runs the turns of a conversation and saves them.
//
// It owns durability: it saves a message before the model gets it, and each event before the
// session acts on it. A tool call is therefore on disk before the tool runs. If saving fails, the
// turn goes on unsaved and the caller gets the reason.
//
// The window and the terminal use this package in the same way. It must not depend on how a turn is
// shown, so it never imports a package of the window.
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

// A Turn is one message of the user and everything that results from it. Use it once.
type Turn struct {
	Session      *agent.Session
	History      *store.Store  // nil: the turn is not saved
	Conversation *Identity     // needed only with a History
	Parent       string        // ID of the previous saved turn; empty: none
	Parts        []*genai.Part // may contain names of files; empty: continue after a failure
	// Next means that the turn follows the last turn of the conversation. If another process has
	// continued the conversation since then, Run loads it again and appends the turn there. If Next
	// is false, the turn is another version of the turn after Parent.
	Next bool

	// Run calls these functions on its goroutine. They may be nil.
	OnConversation func(id string)           // the conversation is saved under this ID
	OnMoved        func(store.Thread)        // another process has continued the conversation; Session has that now
	OnBegin        func(id, title string)    // the turn is saved under this ID; title is the conversation's, or empty if unknown
	OnLost         func(end bool, err error) // something could not be saved; end: the end of the turn
}

// Run sends the message and yields the events of the turn, each after it is saved. An error ends
// the turn and is yielded last. If ctx ends or the caller stops, Run saves the turn with a valid
// end.
func (t *Turn) Run(ctx context.Context) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		recorder, err := t.begin(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		before := len(t.Session.History())
		var failed error
		for event, err := range t.Session.Send(ctx, store.WithoutFileNames(t.Parts)...) {
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

// begin saves the message. It returns a nil recorder if nothing can be saved, and an error if the
// turn must not run.
func (t *Turn) begin(ctx context.Context) (*store.Recorder, error) {
	if t.History == nil {
		return nil, nil
	}
	id, err := t.Conversation.EnsureID(ctx, t.History)
	if err != nil {
		t.reportSaveError(false, err)
		return nil, nil
	}
	if t.OnConversation != nil {
		t.OnConversation(id)
	}
	recorder, err := t.add(ctx, id)
	if errors.Is(err, store.ErrContinuedElsewhere) {
		return nil, store.ErrContinuedElsewhere
	}
	if recorder == nil {
		t.reportSaveError(false, err)
		return nil, nil
	}
	// An error together with a recorder means that the turn waits in memory; store.Pending reports
	// that. A waiting turn derives a title from its own message. That is the conversation's title
	// only if the turn is the first one.
	title := recorder.Title
	if err != nil && t.Parent != "" {
		title = ""
	}
	if t.OnBegin != nil {
		t.OnBegin(recorder.ID, title)
	}
	return recorder, nil
}

// add adds the turn to the history. If another process has added turns in the meantime, a message
// follows those. A turn that only continues after a failure makes no sense then, so add returns
// [store.ErrContinuedElsewhere].
func (t *Turn) add(ctx context.Context, conversation string) (*store.Recorder, error) {
	for t.Next {
		recorder, err := t.History.BeginNext(ctx, conversation, t.Parent, t.Parts)
		if !errors.Is(err, store.ErrContinuedElsewhere) || len(t.Parts) == 0 {
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

// catchUp loads the conversation, to which another process has added turns, into the session and
// returns it.
func catchUp(ctx context.Context, session *agent.Session, history *store.Store, conversation string) (store.Thread, error) {
	now, err := history.Thread(ctx, conversation)
	if err == nil {
		agent.CatchUp(session, now.History(), now.Marks()...)
	}
	return now, err
}

// record saves an event and the contents that the model's history has gained after the index
// before. Text, thoughts and progress do not change the history.
func (t *Turn) record(ctx context.Context, r *store.Recorder, event agent.Event, before int) {
	if r == nil {
		return
	}
	switch event.(type) {
	case agent.TextDelta, agent.ThoughtDelta, agent.ToolProgressed:
		t.reportSaveError(false, r.Record(ctx, event))
	default:
		t.reportSaveError(false, r.Step(ctx, event, t.Session.History()[before:]))
	}
}

// end saves how the turn ended. For a failure of the model, it saves the sentence that the user
// read.
func (t *Turn) end(ctx context.Context, r *store.Recorder, contents []*genai.Content, failed error) {
	if r != nil {
		if f := (*agent.Failure)(nil); errors.As(failed, &f) {
			failed = errors.New(wording.ErrorText(f))
		}
		t.reportSaveError(true, errors.Join(r.Contents(ctx, contents), r.End(ctx, failed)))
	}
}

// reportSaveError reports an error, except one that only means that something waits in memory.
func (t *Turn) reportSaveError(end bool, err error) {
	if err != nil && !errors.Is(err, store.ErrPending) && t.OnLost != nil {
		t.OnLost(end, err)
	}
}
