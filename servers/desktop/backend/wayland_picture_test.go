package backend_test

import (
	"context"
	"image"
	"testing"

	"google.golang.org/grpc/codes"

	"goated/internal/waittest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
)

// When a call ends, the dialog stays open, so that the user does not lose it while choosing. The
// next call gets the picture that they choose.
func TestWaylandPictureOfASlowUser(t *testing.T) {
	asked, agree := make(chan struct{}), make(chan struct{})
	_, b := openWayland(t, func(_ *waylandDesk, o *backend.Options) {
		o.Shoot = func(ctx context.Context) (image.Image, error) {
			close(asked)
			select {
			case <-agree:
				return image.NewRGBA(image.Rect(0, 0, 3, 2)), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{})
		failed <- err
	}()
	waittest.Receive(t, "the dialog", asked)
	cancel()
	refused(t, "a picture that the user still chooses", waittest.Receive(t, "the end of the call", failed), codes.FailedPrecondition, "dialog", "try again")
	close(agree)
	if shot, err := b.CaptureScreenshot(soon(t), &pb.CaptureScreenshotRequest{}); err != nil || shot.GetWidth() != 3 {
		t.Errorf("%v, %v", shot, err)
	}
}

// "Stop everything" closes the dialog for a picture, even if no call waits for it, and no dialog
// opens until the user resumes. The dialog used to stay open for five minutes.
func TestHaltClosesTheDialogForAPicture(t *testing.T) {
	asked, closed := make(chan struct{}, 4), make(chan struct{}, 4) // so that a failed test does not hang
	_, b := openWayland(t, func(_ *waylandDesk, o *backend.Options) {
		o.Shoot = func(ctx context.Context) (image.Image, error) {
			asked <- struct{}{}
			<-ctx.Done()
			closed <- struct{}{}
			return nil, ctx.Err()
		}
	})
	for _, waits := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{})
			failed <- err
		}()
		waittest.Receive(t, "the dialog", asked)
		if !waits {
			cancel()
			refused(t, "a call that ends", waittest.Receive(t, "the end of the call", failed), codes.FailedPrecondition, "dialog")
		}
		b.Halt()
		waittest.Receive(t, "the end of the dialog", closed)
		if waits {
			refused(t, "a picture that is halted", waittest.Receive(t, "the end of the call", failed), codes.PermissionDenied, "stopped")
		}
		cancel()
		refused(t, "a picture while everything is stopped", second(b.CaptureScreenshot(soon(t), &pb.CaptureScreenshotRequest{})), codes.PermissionDenied, "stopped")
		b.Resume()
	}
}
