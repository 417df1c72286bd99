package backend_test

import (
	"bytes"
	"fmt"
	"image/png"
	"testing"

	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/x11test"
)

// There are two displays of different sizes. The main display is on the right and starts further
// down. Each display has its own picture, and a position means the same in all requests.
func TestTwoDisplays(t *testing.T) {
	d := desk.Open(t, nil)
	b := open(t, nil)
	ctx := soon(t)
	left, right := x11.Rect{X: 0, Y: 0, W: 700, H: 700}, x11.Rect{X: 700, Y: 100, W: 500, H: 400}
	x11test.Monitors(t, d.Conn(), map[string]x11.Rect{"left": left, "right": right}, "right")
	all := must[*pb.ListDisplaysResponse](t)(b.ListDisplays(ctx, new(pb.ListDisplaysRequest))).GetDisplays()
	if len(all) != 2 || !all[0].GetIsMain() || all[0].GetFrame().GetX() != 700 || all[0].GetFrame().GetY() != 100 || all[1].GetIsMain() {
		t.Fatalf("%v", all)
	}
	w := terminal(t, b, d, "on two displays")
	for _, one := range []struct {
		display *pb.Display
		is      x11.Rect
	}{{all[0], right}, {all[1], left}} {
		must[*pb.Window](t)(b.MoveWindow(ctx, &pb.MoveWindowRequest{Name: w.GetName(), X: float64(one.is.X + 10), Y: float64(one.is.Y + 20)}))
		request := &pb.CaptureScreenshotRequest{Display: int32(one.display.GetDisplayId())}
		if one.display.GetIsMain() {
			request.Display = 0
		}
		shot := must[*pb.CaptureScreenshotResponse](t)(b.CaptureScreenshot(ctx, request))
		region := must[*pb.CaptureRegionScreenshotResponse](t)(b.CaptureRegionScreenshot(ctx, &pb.CaptureRegionScreenshotRequest{Region: one.display.GetFrame()}))
		a, err := png.Decode(bytes.NewReader(shot.GetImageData()))
		if err != nil || a.Bounds().Dx() != one.is.W || a.Bounds().Dy() != one.is.H {
			t.Fatalf("the picture of %v: %v", one.display, err)
		}
		c, err := png.Decode(bytes.NewReader(region.GetImageData()))
		if err != nil {
			t.Fatal(err)
		}
		dark, at := 0, func(x, y int) string { return fmt.Sprint(a.At(x, y)) }
		for y := 40; y < 200; y += 7 { // inside the terminal
			for x := 30; x < 300; x += 7 {
				if at(x, y) != fmt.Sprint(c.At(x, y)) {
					t.Fatalf("the pictures of the display and of its place differ at %d, %d", x, y)
				}
				if at(x, y) != at(2, 2) {
					dark++
				}
			}
		}
		if dark == 0 {
			t.Errorf("the picture of %v does not show the window", one.display)
		}
		in := click(float64(one.is.X+100), float64(one.is.Y+100))
		in.Parent = parent(w.GetName()) // refuses other windows
		must[*pb.Input](t)(b.CreateInput(ctx, in))
		p := must[*pb.CaptureCursorPositionResponse](t)(b.CaptureCursorPosition(ctx, new(pb.CaptureCursorPositionRequest)))
		if p.GetDisplay() != one.display.GetName() || p.GetX() != float64(one.is.X+100) || p.GetY() != float64(one.is.Y+100) {
			t.Errorf("the pointer is at %v, want %v", p, one.display)
		}
	}
}
