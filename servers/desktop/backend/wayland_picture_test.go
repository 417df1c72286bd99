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

// The end of a call does not close the dialog under the user's hand. The next call gets the
// picture that they choose.
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
