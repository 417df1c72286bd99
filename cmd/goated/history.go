package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/store"
)

// readyTime is how long a chat waits for the history before its first prompt. The history may also
// open later. The time only decides when the user sees a problem.
const readyTime = 500 * time.Millisecond

// historyFile returns the path of the database that the window and the terminal share.
func (o *options) historyFile() string { return filepath.Join(o.dataDir(), "history.db") }

// A record saves one terminal chat in the history. A nil record saves nothing. It must be used by
// one goroutine only.
type record struct {
	store  *store.Store
	stderr io.Writer

	conversation chat.Identity
	parent       string // id of the saved turn before the next one

	warned   bool // store.Warning() has been printed
	waiting  bool // the user knows that something is not saved yet
	retries  sync.WaitGroup
	retrying chan struct{} // holds a token while an attempt to reopen the history runs
}

// newRecord opens the history in the background. The caller must call close.
func (o *options) newRecord(ctx context.Context, stderr io.Writer) *record {
	return &record{store: store.Start(ctx, o.historyFile()), stderr: stderr, retrying: make(chan struct{}, 1)}
}

// resume makes the record continue a saved conversation. ref is as for [chat.Find].
func (r *record) resume(ctx context.Context, ref string) (store.Thread, error) {
	list, err := r.store.Conversations(ctx)
	if err != nil {
		return store.Thread{}, err
	}
	r.warn()
	found, err := chat.Find(list, ref)
	if err != nil {
		return store.Thread{}, err
	}
	thread, err := r.store.Thread(ctx, found.ID)
	if err != nil {
		return store.Thread{}, err
	}
	r.conversation.Set(found.ID)
	r.parent = thread.Conversation.Active
	return thread, nil
}

// turn returns the next turn of the chat.
func (r *record) turn(session *agent.Session, parts ...*genai.Part) *chat.Turn {
	t := &chat.Turn{Session: session, Parts: parts}
	if r == nil {
		return t
	}
	t.History, t.Conversation, t.Parent = r.store, &r.conversation, r.parent
	t.OnBegin = func(id, _ string) { r.parent = id }
	t.OnLost = func(end bool, err error) {
		what := "This turn is not saved"
		if end {
			what = "The end of this turn is not saved"
		}
		fmt.Fprintf(r.stderr, "%s: %s\n", what, err)
	}
	return t
}

// ready waits a moment for the history to open, and reports its state.
func (r *record) ready(ctx context.Context) {
	if r == nil {
		return
	}
	wait, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	if err := r.store.Ready(wait); err != nil && wait.Err() == nil {
		r.report(err)
		return
	}
	r.check(ctx)
}

// check reports once that something is not saved, and later that it is. If the history is not open,
// it tries to open it in the background.
func (r *record) check(ctx context.Context) {
	if r == nil {
		return
	}
	var why error
	for why = range r.store.Pending(context.WithoutCancel(ctx)) {
		break
	}
	r.report(why)
	if errors.Is(why, store.ErrNotOpened) {
		r.reopen(ctx)
	}
}

func (r *record) report(why error) {
	switch {
	case why != nil && !r.waiting:
		fmt.Fprintf(r.stderr, "This conversation is not saved yet: %s. goated keeps it in memory, and saves it as soon as it can.\n", chat.SaveFailureText(why))
	case why == nil && r.waiting:
		fmt.Fprintln(r.stderr, "Everything is saved now.")
	}
	r.waiting = why != nil
	r.warn()
}

// reopen tries to open the history in the background. Only one attempt runs at a time.
func (r *record) reopen(ctx context.Context) {
	select {
	case r.retrying <- struct{}{}:
	default:
		return
	}
	r.retries.Go(func() {
		defer func() { <-r.retrying }()
		_ = r.store.Retry(ctx) // check reports the result
	})
}

// warn prints a problem with the history file, once.
func (r *record) warn() {
	wait, cancel := context.WithCancel(context.Background())
	cancel()
	if r.warned || r.store.Ready(wait) != nil {
		return
	}
	r.warned = true
	if err := r.store.Warning(); err != nil {
		fmt.Fprintln(r.stderr, "goated: "+err.Error())
	}
}

// hint returns how to continue the conversation, or "" if nothing of it is saved.
func (r *record) hint() string {
	if r == nil || r.parent == "" || r.waiting {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), readyTime)
	defer cancel()
	id := r.conversation.ID()
	if list, err := r.store.Conversations(ctx); err == nil {
		id = cmp.Or(chat.ShortIDs(list)[id], id)
	}
	return fmt.Sprintf("This conversation is saved. To continue it: goated chat --resume %s", id)
}

// close saves what is still in memory. It returns false if messages are lost.
func (r *record) close() (kept bool) {
	if r == nil {
		return true
	}
	r.store.PrepareExit()
	r.retries.Wait()
	r.warn()
	err := r.store.Close()
	if err != nil {
		fmt.Fprintln(r.stderr, "goated: "+err.Error())
	}
	if errors.Is(err, store.ErrMessagesLost) {
		fmt.Fprintln(r.stderr, "To chat without saving, use --no-history.")
		return false
	}
	return true
}
