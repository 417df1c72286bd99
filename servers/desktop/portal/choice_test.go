package portal_test

import (
	"context"
	"errors"
	"image"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"goated/servers/desktop/portal"
)

// The dialog for a picture stays open if the user thinks longer than a call waits, and the next call
// gets the picture. A dialog that nobody answers closes, and the next call asks again.
func TestTheDialogForAPictureStaysOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dialogs, closed atomic.Int32
		answer := make(chan error)
		chosen := image.NewGray(image.Rect(0, 0, 3, 2))
		c := portal.NewChoice(func(ctx context.Context) (image.Image, error) {
			dialogs.Add(1)
			select {
			case err := <-answer:
				return chosen, err
			case <-ctx.Done():
				closed.Add(1)
				return nil, ctx.Err()
			}
		})
		asking := func() {
			t.Helper()
			began := time.Now()
			if _, _, err := c.Picture(t.Context()); !errors.Is(err, portal.ErrAsking) || time.Since(began) != 20*time.Second {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
		}
		asking()
		asking()
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := c.Picture(over); !errors.Is(err, portal.ErrAsking) {
			t.Errorf("a call that ends: %v", err)
		}
		answer <- nil
		if m, _, err := c.Picture(t.Context()); m != chosen || err != nil || dialogs.Load() != 1 || closed.Load() != 0 {
			t.Errorf("%v, %v after %d dialogs, %d of them closed", m, err, dialogs.Load(), closed.Load())
		}

		asking()
		answer <- portal.ErrDenied
		if _, _, err := c.Picture(t.Context()); !errors.Is(err, portal.ErrDenied) || dialogs.Load() != 2 {
			t.Errorf("after a refusal: %v, %d dialogs", err, dialogs.Load())
		}

		asking()
		<-time.After(6 * time.Minute) // nobody answers
		asking()
		if dialogs.Load() != 4 || closed.Load() != 1 {
			t.Errorf("%d dialogs, %d of them closed", dialogs.Load(), closed.Load())
		}
		answer <- nil
		c.Close()
		if dialogs.Load() != 4 || closed.Load() != 1 {
			t.Errorf("at the end %d dialogs, %d of them closed", dialogs.Load(), closed.Load())
		}
	})
}

// The next call takes a picture of the present screen, so it gets an earlier answer only if that is a
// few seconds old. It gets the age, too.
func TestAnOldPictureIsNotThePresentScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			thinks, waits time.Duration
			refusal       error
			dialogs       int32
		}{
			{10 * time.Second, 0, nil, 1},
			{50 * time.Second, 29 * time.Second, nil, 1},
			{50 * time.Second, 31 * time.Second, nil, 2},
			{50 * time.Second, 299 * time.Second, nil, 2},
			{50 * time.Second, 29 * time.Second, portal.ErrDenied, 1},
			{50 * time.Second, 31 * time.Second, portal.ErrDenied, 2},
		} {
			var dialogs atomic.Int32
			c := portal.NewChoice(func(context.Context) (image.Image, error) {
				dialogs.Add(1)
				time.Sleep(test.thinks)
				return image.NewGray(image.Rect(0, 0, 3, 2)), test.refusal
			})
			_, age, err := c.Picture(t.Context())
			if test.waits > 0 {
				time.Sleep(test.thinks - 20*time.Second + test.waits)
				_, age, err = c.Picture(t.Context())
			}
			if dialogs.Load() != test.dialogs || test.dialogs == 1 && (age != test.waits || !errors.Is(err, test.refusal)) || test.dialogs == 2 && !errors.Is(err, portal.ErrAsking) {
				t.Errorf("%v after the answer: %d dialogs, a picture of %v ago, %v", test.waits, dialogs.Load(), age, err)
			}
			c.Close()
		}
	})
}

// If the dialog closes while a call waits, the error is that nobody answered, and not a deadline: a
// deadline means that an application hangs.
func TestADialogThatNobodyAnswersSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := portal.NewChoice(func(ctx context.Context) (image.Image, error) {
			<-ctx.Done()
			return nil, context.Cause(ctx)
		})
		defer c.Close()
		_, _, _ = c.Picture(t.Context())
		time.Sleep(5*time.Minute - 30*time.Second)
		if _, _, err := c.Picture(t.Context()); !errors.Is(err, portal.ErrUnanswered) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("at the end of the dialog: %v", err)
		}
	})
}

// A call that has ended, and a call after Close, show no dialog, because nobody would close it.
func TestNoDialogOfACallThatIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dialogs atomic.Int32
		c := portal.NewChoice(func(ctx context.Context) (image.Image, error) {
			dialogs.Add(1)
			<-ctx.Done()
			return nil, ctx.Err()
		})
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := c.Picture(over); !errors.Is(err, context.Canceled) || errors.Is(err, portal.ErrAsking) {
			t.Errorf("a call that has ended: %v", err)
		}
		synctest.Wait()
		c.Close()
		if _, _, err := c.Picture(t.Context()); !errors.Is(err, portal.ErrClosed) {
			t.Errorf("a call after Close: %v", err)
		}
		if n := dialogs.Load(); n != 0 {
			t.Errorf("%d dialogs", n)
		}
		c.Close()
	})
}
