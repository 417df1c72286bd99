package backend

import (
	"context"
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/guard"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/portal"
)

// A remarks keeps the remarks of a reply.
type remarks struct {
	grpc.ServerTransportStream
	header metadata.MD
}

func (r *remarks) SetHeader(md metadata.MD) error {
	r.header = metadata.Join(r.header, md)
	return nil
}

// chosen returns a Wayland session whose user chooses a picture after a delay.
func chosen(after time.Duration) *wayland {
	w := &wayland{c: &core{guard: guard.New(guard.Options{})}}
	w.c.o.Shoot = func(ctx context.Context) (image.Image, error) {
		select {
		case <-time.After(after):
			return image.NewRGBA(image.Rect(0, 0, 3, 2)), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	w.choice = portal.NewChoice(w.shoot)
	w.c.wl = w
	return w
}

// If the user chose the picture before the call, the reply reports how old it is.
func TestAPictureOfBeforeSaysItsAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := chosen(25 * time.Second)
		defer w.choice.Close()
		if _, err := w.picture(t.Context()); status.Code(err) != codes.FailedPrecondition {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second)
		h := new(remarks)
		_, err := w.picture(grpc.NewContextWithServerTransportStream(t.Context(), h))
		if note := strings.Join(h.header.Get(pb.NoteHeader), " "); err != nil || !strings.Contains(note, "chose this picture 25 seconds ago") {
			t.Errorf("%v, with the note %q", err, note)
		}
	})
}
