package models

import (
	"context"
	"sync/atomic"

	"goated/internal/modelkey"
)

// Memory is the origin of a [HeldKey].
const Memory = "memory"

// A HeldKey holds a key until goated quits, for a system without a working keyring. The zero value
// holds no key. It is safe for concurrent use.
type HeldKey struct{ key atomic.Pointer[string] }

// Hold stores a key. An empty key deletes the stored one.
func (h *HeldKey) Hold(key string) {
	key = modelkey.CleanKey(key)
	h.key.Store(&key)
}

// Or returns the held key, or the result of find if there is none.
func (h *HeldKey) Or(ctx context.Context, find func(context.Context) (key, from string)) (key, from string) {
	if held := h.key.Load(); held != nil && *held != "" {
		return *held, Memory
	}
	return find(ctx)
}

// Forget deletes the held key. If there is none, it calls clear, which deletes the saved key.
func (h *HeldKey) Forget(clear func() error) error {
	if held := h.key.Swap(nil); held != nil && *held != "" {
		return nil
	}
	return clear()
}
