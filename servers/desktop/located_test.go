package desktop

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// A press of an element with a screenshot converts only the end of a drag, because the element's
// center is a position on the desktop already. The server used to convert the center, too.
func TestAnElementIsNotInTheScreenshot(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListDisplays", func(proto.Message) (proto.Message, error) {
		return &pb.ListDisplaysResponse{Displays: []*pb.Display{{DisplayId: 1, IsMain: true, Frame: &pb.Region{Width: 2000, Height: 1000}}}}, nil
	})
	shown := picture(500, 250)
	f.on("CaptureScreenshot", func(proto.Message) (proto.Message, error) {
		return &pb.CaptureScreenshotResponse{ImageData: shown, Format: pb.ImageFormat_IMAGE_FORMAT_PNG, Width: 500, Height: 250}, nil
	})
	if text, _, failed := do(t, s, "screenshot", `{}`); failed {
		t.Fatal(text)
	}
	for args, want := range map[string]string{
		`{"element":"12:e","to_x":499,"to_y":249,"screenshot":"s1"}`: `{"drag":{"end_position":{"x":1998,"y":998},"start_position":{"x":150,"y":150}}}`,
		`{"element":"12:e","dy":3,"screenshot":"s1"}`:                `{"scroll":{"position":{"x":150,"y":150},"vertical":3}}`,
		`{"element":"12:e","seconds":1,"screenshot":"s1"}`:           `{"hover":{"duration":1,"position":{"x":150,"y":150}}}`,
		`{"element":"12:e","button":"middle","screenshot":"s1"}`:     `{"click":{"click_type":"CLICK_TYPE_MIDDLE","position":{"x":150,"y":150}}}`,
		`{"element":"12:e","button":"middle","screenshot":"s99"}`:    `{"click":{"click_type":"CLICK_TYPE_MIDDLE","position":{"x":150,"y":150}}}`,
		`{"x":499,"y":249,"dy":3,"screenshot":"s1"}`:                 `{"scroll":{"position":{"x":1998,"y":998},"vertical":3}}`,
		`{"x":499,"y":249,"seconds":1,"screenshot":"s1"}`:            `{"hover":{"duration":1,"position":{"x":1998,"y":998}}}`,
		`{"x":0,"y":0,"to_x":499,"to_y":249,"screenshot":"s1"}`:      `{"drag":{"end_position":{"x":1998,"y":998},"start_position":{"x":2,"y":2}}}`,
	} {
		if text, _, failed := do(t, s, "press", args); failed {
			t.Errorf("%s: %s", args, text)
		}
		if got := f.last("CreateInput"); !strings.Contains(got, want) {
			t.Errorf("%s sends\n%s, want\n%s", args, got, want)
		}
	}
	if text, _, failed := do(t, s, "press", `{"element":"12:e","to_x":1,"to_y":1,"screenshot":"s99"}`); !failed || !strings.Contains(text, "is not known any more") {
		t.Error(text)
	}
}

// Every kind of press at a position in a picture of a window goes only to the application of the
// window.
func TestAPressInAPictureOfAWindowGoesToItsApplication(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("GetWindow", func(proto.Message) (proto.Message, error) {
		return &pb.Window{Name: "applications/12/windows/3", Bounds: &pb.Bounds{Width: 40, Height: 20}}, nil
	})
	f.on("CaptureWindowScreenshot", func(proto.Message) (proto.Message, error) {
		return &pb.CaptureWindowScreenshotResponse{ImageData: picture(40, 20), Format: pb.ImageFormat_IMAGE_FORMAT_PNG, Width: 40, Height: 20}, nil
	})
	if text, _, failed := do(t, s, "screenshot", `{"window":"applications/12/windows/3"}`); failed {
		t.Fatal(text)
	}
	for _, args := range []string{
		`{"x":1,"y":1,"screenshot":"s1"}`, `{"x":1,"y":1,"seconds":1,"screenshot":"s1"}`, `{"x":1,"y":1,"dy":1,"screenshot":"s1"}`,
		`{"x":1,"y":1,"to_x":2,"to_y":2,"screenshot":"s1"}`, `{"x":1,"y":1,"button":"middle","screenshot":"s1"}`,
	} {
		text, _, failed := do(t, s, "press", args)
		if got := f.last("CreateInput"); failed || !strings.Contains(got, `"parent":"applications/12"`) {
			t.Errorf("%s sends %s: %s", args, got, text)
		}
	}
}

// A screenshot is of what the arguments describe. An incomplete area used to be a picture of the
// whole screen, and an area beside a window had no effect.
func TestAScreenshotNeedsOneCompleteSubject(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	for args, want := range map[string]string{
		`{"x":1,"y":2}`: "an area needs x, y, width and height",
		`{"width":30}`:  "an area needs x, y, width and height",
		`{"window":"the title","element":"12:e"}`:                 "ass only one of window, element and an area",
		`{"window":"the title","x":1,"y":2,"width":3,"height":4}`: "ass only one of window, element and an area",
	} {
		if text, _, failed := do(t, s, "screenshot", args); !failed || !strings.Contains(strings.ToLower(text), want) {
			t.Errorf("%s answers %q, without %q", args, text, want)
		}
	}
}
