package client

import (
	"context"
	"fmt"
)

// A signedIn is an [Authorizer] that stores a sign-in.
type signedIn interface {
	SignedIn() bool
	SignOut() error
}

// signInOf returns the sign-in to a server; nil if it has none.
func signInOf(h *Host, id string) signedIn {
	s := h.list.find(id)
	if s == nil || s.config.URL == "" || h.o.Authorizer == nil {
		return nil
	}
	a, _ := h.o.Authorizer(s.config).(signedIn)
	return a
}

// SignedIn reports whether goated is signed in to a server with a URL.
func SignedIn(h *Host, id string) bool {
	a := signInOf(h, id)
	return a != nil && a.SignedIn()
}

// SignOut forgets the sign-in to a server and disconnects it. The next connection asks
// the user to sign in.
func SignOut(ctx context.Context, h *Host, id string) error {
	a := signInOf(h, id)
	if a == nil {
		return nil
	}
	if err := a.SignOut(); err != nil {
		return fmt.Errorf("signing out: %w", err)
	}
	return h.Disconnect(ctx, id)
}
