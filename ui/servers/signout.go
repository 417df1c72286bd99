package servers

import (
	"context"
	"errors"

	"goated/client"
)

// signOut deletes the sign-in to a server and disconnects the server.
func signOut(ps *Pages, s client.Server) {
	ps.Go(func() {
		err := client.SignOut(ps.Ctx, ps.Host, s.ID)
		ps.Post(func() {
			if err != nil && !errors.Is(err, context.Canceled) {
				ps.Alert(err)
				return
			}
			ps.Toasts.Say("check", "Signed out of "+s.Name+". Turn it on to sign in again.")
		})
	})
}

// A signIn tracks whether a background read of the sign-in to a server runs.
type signIn struct {
	reading  bool
	outdated bool // the server changed since that read began
}

// readSignIn shows or hides the button that signs out. It reads the sign-in off the UI goroutine,
// because a locked keyring answers only after seconds. Only one read runs at a time.
func (p *serverPage) readSignIn() {
	s := &p.title.sign
	if p.server.URL == "" || p.ps.Host == nil {
		return
	}
	if s.reading {
		s.outdated = true
		return
	}
	s.reading, s.outdated = true, false
	ps, id := p.ps, p.server.ID
	ps.Go(func() {
		signed := client.SignedIn(ps.Host, id)
		ps.Post(func() {
			s.reading = false
			if p.title.leave.Hidden == signed {
				p.title.leave.Hidden = !signed
				p.Refit()
			}
			if s.outdated {
				p.readSignIn()
			}
		})
	})
}
