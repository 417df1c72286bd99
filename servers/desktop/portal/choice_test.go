package portal_test

import (
	"context"
	"errors"
	"image"
	"testing"
	"testing/synctest"
	"time"

	"goated/servers/desktop/portal"
)

// The dialog for a picture stays while the user thinks longer than a call waits, and the next
// call gets the picture. One that nobody answers closes, and the next call asks again.
func TestTheDialogForAPictureStaysOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dialogs, closed := 0, 0
		answer := make(chan error)
		chosen := image.NewGray(image.Rect(0, 0, 3, 2))
		c := portal.NewChoice(func(ctx context.Context) (image.Image, error) {
			dialogs++
			select {
			case err := <-answer:
				return chosen, err
			case <-ctx.Done():
				closed++
				return nil, ctx.Err()
			}
		})
		asking := func() {
			t.Helper()
			began := time.Now()
			if _, err := c.Picture(t.Context()); !errors.Is(err, portal.ErrAsking) || time.Since(began) != 20*time.Second {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
		}
		asking()
		asking()
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Picture(over); !errors.Is(err, portal.ErrAsking) {
			t.Errorf("a call that ends: %v", err)
		}
		answer <- nil
		if m, err := c.Picture(t.Context()); m != chosen || err != nil || dialogs != 1 || closed != 0 {
			t.Errorf("%v, %v after %d dialogs, %d of them closed", m, err, dialogs, closed)
		}

		asking()
		answer <- portal.ErrDenied
		if _, err := c.Picture(t.Context()); !errors.Is(err, portal.ErrDenied) || dialogs != 2 {
			t.Errorf("after a refusal: %v, %d dialogs", err, dialogs)
		}

		asking()
		<-time.After(6 * time.Minute) // nobody answers
		asking()
		if dialogs != 4 || closed != 1 {
			t.Errorf("%d dialogs, %d of them closed", dialogs, closed)
		}
		answer <- nil
		<-time.After(6 * time.Minute) // an old picture is of no use
		asking()
		c.Close()
		if dialogs != 5 || closed != 2 {
			t.Errorf("at the end %d dialogs, %d of them closed", dialogs, closed)
		}
	})
}
