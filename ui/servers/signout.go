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
