package chat

import (
	"context"
	"sync"

	"goated/internal/store"
)

// An Identity is the ID under which a conversation is saved. The zero value is for a conversation
// that is not saved yet. It is safe for concurrent use, because a draft and a message may both need
// the first ID. Do not copy it.
type Identity struct {
	mu sync.Mutex
	id string
}

// Set makes i the identity of a saved conversation.
func (i *Identity) Set(id string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.id = id
}

// ID returns the ID, or "" if the conversation is not saved yet.
func (i *Identity) ID() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.id
}

// EnsureID returns the ID of the conversation in history. It creates the conversation there if i has no
// ID yet.
func (i *Identity) EnsureID(ctx context.Context, history *store.Store) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.id == "" {
		created, err := history.Create(ctx)
		if err != nil {
			return "", err
		}
		i.id = created.ID
	}
	return i.id, nil
}
