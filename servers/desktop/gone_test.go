package desktop

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// An application that hangs does not list its windows, but they may still exist.
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
	if text, _, failed := do(t, s, "wait", `{"window":"notes","gone":true}`); failed || text != "The window is gone." {
		t.Errorf("after it answers: %q", text)
	}
	if text, _, failed := do(t, s, "wait", `{"in":"nots","role":"button","gone":true}`); !failed || !strings.Contains(text, `No window is named "nots"`) {
		t.Errorf("a window that nothing names: %q", text)
	}
}

// A wait keeps looking for a window while an application is silent. Once an application has shown
// the window, another application that hangs does not matter.
func TestAWaitLooksAgainAfterASilence(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListApplications", func(proto.Message) (proto.Message, error) {
		return &pb.ListApplicationsResponse{Applications: []*pb.Application{{Name: "applications/7", DisplayName: "Mail"}, {Name: "applications/8", DisplayName: "Editor"}}}, nil
	})
	looks := 0
	f.on("ListWindows", func(req proto.Message) (proto.Message, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		mail := req.(*pb.ListWindowsRequest).GetParent() == "applications/7"
		if mail {
			looks++
		}
		if mail && looks == 2 {
			return &pb.ListWindowsResponse{Windows: []*pb.Window{{Name: "applications/7/windows/1", Title: "notes"}}}, nil
		}
		if !mail {
			return nil, status.Error(codes.DeadlineExceeded, "Editor does not answer; wait for it")
		}
		return new(pb.ListWindowsResponse), nil
	})
	if text, _, failed := do(t, s, "wait", `{"window":"notes","gone":true,"seconds":20}`); failed || text != "The window is gone." || looks != 3 {
		t.Errorf("after %d looks: %q", looks, text)
	}
}

// An element stays in its window when the window's title changes.
func TestAnElementStaysWhenTheTitleChanges(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListApplications", func(proto.Message) (proto.Message, error) {
		return &pb.ListApplicationsResponse{Applications: []*pb.Application{{Name: "applications/7", DisplayName: "Editor"}}}, nil
	})
	title, looks := "Untitled", 0
	f.on("ListWindows", func(proto.Message) (proto.Message, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		return &pb.ListWindowsResponse{Windows: []*pb.Window{{Name: "applications/7/windows/1", Title: title}}}, nil
	})
	f.on("FindElements", func(proto.Message) (proto.Message, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		title = "notes.txt - Editor"
		if looks++; looks == 3 {
			return nil, status.Error(codes.NotFound, "the window 1 is gone")
		}
		return &pb.FindElementsResponse{Elements: []*pb.Element{{ElementId: "e1", Role: "label"}}}, nil
	})
	if text, _, failed := do(t, s, "wait", `{"in":"Untitled","text":"Saving","gone":true,"seconds":20}`); failed || text != "The window is gone, and the element with it." || looks != 3 {
		t.Errorf("after %d looks: %q", looks, text)
	}
}
