package chat

import (
	"context"
	"sync"

	"goated/internal/store"
)

// An Identity is the id under which a conversation is saved. The zero value
// belongs to a conversation that is not saved yet. It is safe for concurrent
// use: a draft and a message may both need an id first. Do not copy it.
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

// ID is empty while the conversation is not saved.
func (i *Identity) ID() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.id
}

// In returns the id in history, and creates the conversation there if i has no
// id yet.
func (i *Identity) In(ctx context.Context, history *store.Store) (string, error) {
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
