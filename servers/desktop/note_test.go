package desktop

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// A note about a cut list does not replace the note that windows may be missing. An application that
// does not answer is not one without windows.
func TestACutListKeepsTheOtherNotes(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListApplications", func(proto.Message) (proto.Message, error) {
		return &pb.ListApplicationsResponse{Applications: []*pb.Application{{Name: "applications/7", DisplayName: "Mail"}, {Name: "applications/8", DisplayName: "Editor"}, {Name: "applications/9", DisplayName: "Clock"}}}, nil
	})
	f.on("ListWindows", func(r proto.Message) (proto.Message, error) {
		reply := new(pb.ListWindowsResponse)
		switch r.(*pb.ListWindowsRequest).GetParent() {
		case "applications/7":
			for i := range 90 {
				reply.Windows = append(reply.Windows, &pb.Window{Name: fmt.Sprintf("applications/7/windows/%d", i), Title: strings.Repeat("t", 100), Bounds: new(pb.Bounds)})
			}
		case "applications/8":
			return nil, status.Error(codes.DeadlineExceeded, "Editor does not answer; wait for it")
		}
		return reply, nil
	})
	text, data, failed := do(t, s, "see", `{}`)
	if failed {
		t.Fatal(text)
	}
	for _, want := range []string{"of 90 windows. Pass max_bytes for more.", "1 application without windows left out.", "Windows may be missing: Editor does not answer"} {
		if note, _ := data["note"].(string); !strings.Contains(note, want) || !strings.Contains(text, want) {
			t.Errorf("the note lacks %q: %q", want, note)
		}
	}
}

// A tool follows the advice of its own note.
func TestEveryToolTakesMaxBytes(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	long := strings.Repeat("word ", 4000)
	f.on("WriteElementValue", func(proto.Message) (proto.Message, error) {
		return &pb.WriteElementValueResponse{Success: true, Element: &pb.Element{Role: "text area", Text: proto.String(long), ElementId: "e"}}, nil
	})
	args := fmt.Sprintf(`{"element":"12:e","text":%q`, long)
	if text, _, failed := do(t, s, "type", args+"}"); failed || !strings.Contains(text, "A text is cut. Pass max_bytes for more.") {
		t.Errorf("%.200s", text)
	}
	if text, _, failed := do(t, s, "type", args+`,"max_bytes":100000}`); failed || strings.Contains(text, "is cut") || !strings.Contains(text, "12:e") {
		t.Errorf("with max_bytes: %.200s", text)
	}
}

// find refuses an area without a size, in which nothing lies, and shows all of its notes.
func TestFindSaysWhatItLacks(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	for _, args := range []string{
		`{"in":"12","role":"button","x":1,"y":2}`, `{"in":"12","x":1,"y":2,"width":3}`, `{"in":"12","role":"button","x":0,"y":0,"width":0,"height":0}`,
	} {
		if text, _, failed := do(t, s, "find", args); !failed || !strings.Contains(text, "rea needs x, y, width and height") {
			t.Errorf("%s answers %q", args, text)
		}
	}
	const area = `{"in":"12","x":1,"y":2,"width":3,"height":4}`
	if text, _, failed := do(t, s, "find", area); failed || strings.Contains(text, "describes few") {
		t.Errorf("an area with one element: %q", text)
	}
	f.on("FindRegionElements", func(proto.Message) (proto.Message, error) { return new(pb.FindRegionElementsResponse), nil })
	if text, _, failed := do(t, s, "find", area); failed || strings.Contains(text, "describes no") || !strings.Contains(text, "No element fits") {
		t.Errorf("an empty area: %q", text)
	}
	f.on("FindElements", func(proto.Message) (proto.Message, error) {
		return &pb.FindElementsResponse{Elements: []*pb.Element{{Role: "frame", Text: proto.String("Chat"), ElementId: "e"}, {Role: "filler", ElementId: "f"}}}, nil
	})
	if text, _, _ := do(t, s, "see", `{"in":"12"}`); !strings.Contains(text, "describes few of its elements") || !strings.Contains(text, "1 element without text and function left out.") {
		t.Error(text)
	}
}
