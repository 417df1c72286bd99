package desktop

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// A picture is scaled down, and positions in it are scaled back up.
func TestPositionsInScreenshots(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListDisplays", func(proto.Message) (proto.Message, error) {
		return &pb.ListDisplaysResponse{Displays: []*pb.Display{
			{DisplayId: 7, Frame: &pb.Region{X: -1920, Y: 0, Width: 1920, Height: 1080}},
			{DisplayId: 8, IsMain: true, Frame: &pb.Region{Width: 2000, Height: 1000}, Scale: 2},
		}}, nil
	})
	whole := picture(4000, 2000)
	f.on("CaptureScreenshot", func(proto.Message) (proto.Message, error) {
		return &pb.CaptureScreenshotResponse{ImageData: whole, Format: pb.ImageFormat_IMAGE_FORMAT_PNG, Width: 4000, Height: 2000}, nil
	})
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "screenshot", Arguments: map[string]any{"max_side": 500}})
	if err != nil || r.IsError {
		t.Fatal(r, err)
	}
	shown := r.Content[1].(*mcp.ImageContent)
	config, _, err := image.DecodeConfig(strings.NewReader(string(shown.Data)))
	if err != nil || config.Width != 500 || config.Height != 250 || shown.MIMEType != "image/png" {
		t.Fatalf("%dx%d %s, %v", config.Width, config.Height, shown.MIMEType, err)
	}
	click := func(args, want string) {
		t.Helper()
		if text, _, failed := do(t, s, "press", args); failed {
			t.Error(text)
		}
		if got := f.last("CreateInput"); !strings.Contains(got, want) {
			t.Errorf("%s sends %s", args, got)
		}
	}
	click(`{"x":100,"y":50,"screenshot":"s1"}`, `"position":{"x":402,"y":202}`)
	click(`{"x":0,"y":0,"to_x":499,"to_y":249,"screenshot":"s1"}`, `"drag":{"end_position":{"x":1998,"y":998},"start_position":{"x":2,"y":2}}`)
	if text, _, failed := do(t, s, "press", `{"x":500,"y":50,"screenshot":"s1"}`); !failed || !strings.Contains(text, "is outside of screenshot") {
		t.Error(text)
	}
	if text, _, failed := do(t, s, "screenshot", `{"display":7,"max_side":500}`); failed || !strings.Contains(text, "1920×1080 at (-1920, 0)") {
		t.Error(text)
	}
	click(`{"x":250,"y":125,"screenshot":"s2"}`, `"position":{"x":-958.08`)
	f.on("CaptureScreenshot", func(proto.Message) (proto.Message, error) {
		return &pb.CaptureScreenshotResponse{ImageData: []byte("no picture")}, nil
	})
	if text, _, failed := do(t, s, "screenshot", `{}`); !failed || !strings.Contains(text, "damaged") {
		t.Error(text)
	}
}

// A picture of an element at the edge of the screen lacks the part beyond the edge. Positions count
// from the visible part. If the picture's size matches neither part, the server refuses positions
// in it.
func TestPositionsInPicturesAtTheEdge(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListDisplays", func(proto.Message) (proto.Message, error) {
		return &pb.ListDisplaysResponse{Displays: []*pb.Display{{DisplayId: 1, IsMain: true, Frame: &pb.Region{Width: 1000, Height: 800}, Scale: 1.5}}}, nil
	})
	x, y, width, height := -20.0, 770.0, 140.0, 80.0
	f.on("GetElement", func(proto.Message) (proto.Message, error) {
		return &pb.Element{Role: "button", ElementId: "e1", X: &x, Y: &y, Width: &width, Height: &height}, nil
	})
	sizes := [][2]int{{120, 30}, {140, 80}, {77, 33}} // cut at the left and bottom; whole; neither
	f.on("CaptureElementScreenshot", func(proto.Message) (proto.Message, error) {
		n := sizes[0]
		sizes = sizes[1:]
		return &pb.CaptureElementScreenshotResponse{ImageData: picture(n[0], n[1]), Format: pb.ImageFormat_IMAGE_FORMAT_PNG, Width: int32(n[0]), Height: int32(n[1])}, nil
	})
	for _, want := range []string{`"position":{"x":10.5,"y":780.5}`, `"position":{"x":-9.5,"y":780.5}`, ""} {
		_, data, failed := do(t, s, "screenshot", `{"element":"1:e1"}`)
		if failed {
			t.Fatal(data)
		}
		text, _, failed := do(t, s, "press", fmt.Sprintf(`{"x":10,"y":10,"screenshot":%q}`, data["screenshot"]))
		// The request has a parent, so the service refuses another application there.
		if got := f.last("CreateInput"); failed != (want == "") || !failed && !(strings.Contains(got, want) && strings.Contains(got, `"parent":"applications/1"`)) {
			t.Errorf("%s (%s), want %s", got, text, want)
		}
	}
}
