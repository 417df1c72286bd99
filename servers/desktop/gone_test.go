package desktop

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// An application that hangs does not list its windows. Each of them may be there.
func TestAWindowOfASilentApplicationIsNotGone(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	all := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	f.on("ListApplications", func(proto.Message) (proto.Message, error) {
		return &pb.ListApplicationsResponse{Applications: []*pb.Application{{Name: "applications/7", DisplayName: "Mail"}, {Name: "applications/8", DisplayName: "Editor"}}}, nil
	})
	silent := true
	f.on("ListWindows", func(req proto.Message) (proto.Message, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		switch {
		case req.(*pb.ListWindowsRequest).GetParent() == "applications/7":
			return &pb.ListWindowsResponse{Windows: []*pb.Window{{Name: "applications/7/windows/1", Title: "Inbox"}}}, nil
		case silent:
			return nil, status.Error(codes.DeadlineExceeded, "Editor does not answer; wait for it")
		}
		return new(pb.ListWindowsResponse), nil
	})
	for _, args := range []string{`{"window":"notes","gone":true,"seconds":0.1}`, `{"in":"notes","role":"button","gone":true,"seconds":0.1}`} {
		if text, _, failed := do(t, s, "wait", args); !failed || strings.Contains(text, "is gone") || !strings.Contains(text, "Editor does not answer") {
			t.Errorf("wait %s answers %q", args, text)
		}
	}
	if text, _, failed := do(t, s, "wait", `{"window":"inbox","seconds":0.1}`); failed || !strings.Contains(text, "The window is there") {
		t.Errorf("a window of another application: %q", text)
	}
	if text, _, failed := do(t, s, "screenshot", `{"window":"notes"}`); !failed || strings.Contains(text, "is named") || !strings.Contains(text, "Editor does not answer") {
		t.Errorf("the picture of a window that may be there: %q", text)
	}
	for _, list := range []func() (string, map[string]any, bool){
		func() (string, map[string]any, bool) { return do(t, s, "see", `{}`) },
		func() (string, map[string]any, bool) { return do(t, all, "list_windows", `{}`) },
	} {
		text, data, failed := list()
		if note, _ := data["note"].(string); failed || !strings.Contains(text, "Inbox") || !strings.Contains(note, "Windows may be missing: Editor does not answer") {
			t.Errorf("failed=%t %q with the note %q", failed, text, note)
		}
	}
	f.mu.Lock()
	silent = false
	f.mu.Unlock()
	for args, want := range map[string]string{`{"window":"notes","gone":true}`: "The window is gone.", `{"in":"notes","role":"button","gone":true}`: "The window is gone, and the element with it."} {
		if text, _, failed := do(t, s, "wait", args); failed || text != want {
			t.Errorf("after it answers, wait %s: %q", args, text)
		}
	}
}
