package backend_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"goated/servers/desktop/backend"
	"goated/servers/desktop/guard"
	pb "goated/servers/desktop/macosusesdk"
)

// TestRandomActions runs random action sequences on two windows, with coordinates on and beside
// them, and on a window of goated between them. In the end both windows exist, goated's window is
// unchanged and received no keys, no key or button is held, a screenshot works, and every refusal
// has its reason.
func TestRandomActions(t *testing.T) {
	d := desk.Open(t, nil)
	touched := filepath.Join(t.TempDir(), "touched")
	mine := desk.Terminal(t, d, "goated", "sh", "-c", "stty -echo; head -c 1 > "+touched+"; sleep 1000")
	b := open(t, func(o *backend.Options) { o.Own, o.Rates.Actions = guard.Own{PIDs: []int{mine.PID}}, 1e6 })
	names := []string{terminal(t, b, d, "first", "cat").GetName(), terminal(t, b, d, "second", "cat").GetName()}
	text := rapid.StringMatching(`[a-z A-Z0-9.,;éß日🙂]{1,12}`)
	rapid.Check(t, func(r *rapid.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		call := func(_ any, err error) error { return err }
		name := rapid.SampledFrom(names)
		x, y := rapid.Float64Range(-100, 1400), rapid.Float64Range(-100, 900)
		point := func() *pb.Point { return &pb.Point{X: x.Draw(r, "x"), Y: y.Draw(r, "y")} }
		input := func(a *pb.InputAction) error { return call(b.CreateInput(ctx, action(a))) }
		actions := map[string]func() error{
			"move": func() error {
				return call(b.MoveWindow(ctx, &pb.MoveWindowRequest{Name: name.Draw(r, "window"), X: x.Draw(r, "x"), Y: y.Draw(r, "y")}))
			},
			"resize": func() error {
				return call(b.ResizeWindow(ctx, &pb.ResizeWindowRequest{Name: name.Draw(r, "window"), Width: x.Draw(r, "width"), Height: y.Draw(r, "height")}))
			},
			"minimise": func() error {
				return call(b.MinimizeWindow(ctx, &pb.MinimizeWindowRequest{Name: name.Draw(r, "window")}))
			},
			"restore": func() error {
				return call(b.RestoreWindow(ctx, &pb.RestoreWindowRequest{Name: name.Draw(r, "window")}))
			},
			"focus": func() error { return call(b.FocusWindow(ctx, &pb.FocusWindowRequest{Name: name.Draw(r, "window")})) },
			"hit goated": func() error {
				p := &pb.Point{X: float64(mine.Client.X + rapid.IntRange(0, mine.Client.W-1).Draw(r, "x")), Y: float64(mine.Client.Y + rapid.IntRange(0, mine.Client.H-1).Draw(r, "y"))}
				return input(&pb.InputAction{InputType: &pb.InputAction_Click{Click: &pb.MouseClick{Position: p}}})
			},
			"type":  func() error { return input(typed(text.Draw(r, "text"), 0).GetInput().GetAction()) },
			"enter": func() error { return call(b.CreateInput(ctx, key("Return"))) },
			"scroll": func() error {
				return input(&pb.InputAction{InputType: &pb.InputAction_Scroll{Scroll: &pb.Scroll{Position: point(), Vertical: float64(rapid.IntRange(-3, 3).Draw(r, "notches"))}}})
			},
			"down": func() error {
				return input(&pb.InputAction{InputType: &pb.InputAction_ButtonDown{ButtonDown: &pb.MouseButtonDown{Position: point()}}})
			},
			"write": func() error {
				return call(b.WriteClipboard(ctx, &pb.WriteClipboardRequest{Content: &pb.ClipboardContent{Content: &pb.ClipboardContent_Text{Text: text.Draw(r, "text")}}}))
			},
			"picture": func() error {
				return call(b.CaptureWindowScreenshot(ctx, &pb.CaptureWindowScreenshotRequest{Window: name.Draw(r, "window")}))
			},
		}
		kinds := make([]string, 0, len(actions))
		for k := range actions {
			kinds = append(kinds, k)
		}
		slices.Sort(kinds)
		for i := range rapid.IntRange(1, 5).Draw(r, "actions") {
			kind := rapid.SampledFrom(kinds).Draw(r, fmt.Sprint("action ", i))
			switch err := actions[kind](); status.Code(err) {
			case codes.OK, codes.FailedPrecondition, codes.PermissionDenied, codes.InvalidArgument:
			default:
				r.Fatalf("%s: %v", kind, err)
			}
		}
		b.Halt() // releases everything that is pressed
		b.Resume()
		for _, n := range names {
			if _, err := b.GetWindow(ctx, &pb.GetWindowRequest{Name: n}); err != nil {
				r.Fatal(err)
			}
		}
		if now, err := d.Window(mine.ID); err != nil || now.Frame != mine.Frame || !now.Mapped {
			r.Fatalf("goated's window is %+v, %v", now.Frame, err)
		}
		desk.Until(t, "end of all presses", func() bool { mask, err := d.Pressed(); return err == nil && mask == 0 })
		if shot, err := b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{Format: pb.ImageFormat_IMAGE_FORMAT_JPEG}); err != nil || shot.GetWidth() != 1280 {
			r.Fatal(err)
		}
	})
	if info, err := os.Stat(touched); err != nil || info.Size() != 0 {
		t.Errorf("goated's window received keys: %v, %v", info, err)
	}
}
