package desktop

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// A name that fits two applications, or two windows, is answered with both names.
func TestAmbiguousNamesNameBoth(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListApplications", func(proto.Message) (proto.Message, error) {
		return &pb.ListApplicationsResponse{Applications: []*pb.Application{{Name: "applications/7", DisplayName: "Editor"}, {Name: "applications/8", DisplayName: "Editor"}}}, nil
	})
	f.on("ListWindows", func(req proto.Message) (proto.Message, error) {
		parent := req.(*pb.ListWindowsRequest).GetParent()
		return &pb.ListWindowsResponse{Windows: []*pb.Window{{Name: parent + "/windows/1", Title: "notes.txt"}}}, nil
	})
	for _, test := range []struct{ tool, args, one, other string }{
		{"find", `{"in":"Editor","role":"button"}`, "applications/7", "applications/8"},
		{"find", `{"in":"notes","role":"button"}`, "applications/7/windows/1", "applications/8/windows/1"},
		{"see", `{"in":"Editor"}`, "applications/7", "applications/8"},
		{"window", `{"action":"close","window":"notes.txt"}`, "applications/7/windows/1", "applications/8/windows/1"},
		{"screenshot", `{"window":"notes"}`, "applications/7/windows/1", "applications/8/windows/1"},
	} {
		text, _, failed := do(t, s, test.tool, test.args)
		if !failed || !strings.Contains(text, "fits several") || !strings.Contains(text, "("+test.one+")") || !strings.Contains(text, "("+test.other+")") {
			t.Errorf("%s %s answers %q", test.tool, test.args, text)
		}
	}
	if text, _, failed := do(t, s, "find", `{"in":"nothing","role":"button"}`); !failed || !strings.Contains(text, "NOT_FOUND") {
		t.Errorf("a name of nothing: %q", text)
	}
}
