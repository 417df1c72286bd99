package desktop

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// wait takes no argument that has no effect. It used to ignore state beside conditions, gone beside
// seconds, and in beside a window, and refused gone for an element.
func TestAWaitUsesAllItsArguments(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	f.on("ListApplications", func(proto.Message) (proto.Message, error) {
		return &pb.ListApplicationsResponse{Applications: []*pb.Application{{Name: "applications/7", DisplayName: "Mail"}, {Name: "applications/8", DisplayName: "Editor"}}}, nil
	})
	f.on("ListWindows", func(r proto.Message) (proto.Message, error) {
		app := r.(*pb.ListWindowsRequest).GetParent()
		return &pb.ListWindowsResponse{Windows: []*pb.Window{{Name: app + "/windows/1", Title: strings.Replace(app, "applications/", "Window of ", 1)}}}, nil
	})
	f.on("GetElement", func(r proto.Message) (proto.Message, error) {
		if r.(*pb.GetElementRequest).GetName() == "applications/7/elements/gone" {
			return nil, status.Error(codes.NotFound, "there is no element 7:gone; find the element again")
		}
		return &pb.Element{Role: "button", ElementId: "e"}, nil
	})
	for _, test := range []struct {
		args   string
		want   string
		failed bool
	}{
		{`{"element":"7:gone","gone":true}`, "There is no such element any more.", false},
		{`{"element":"7:e","gone":true,"seconds":0}`, "The element did not go away", true},
		{`{"window":"applications/7/windows/1","seconds":0}`, "The window is there", false},
		{`{"window":"applications/7/windows/1","gone":true,"seconds":0}`, "did not go away", true},
		{`{"window":"Window of 7","in":"Mail","seconds":0}`, "The window is there", false},
		{`{"window":"Window of 8","in":"Mail","seconds":0}`, "did not appear", true},
		{`{"window":"Window of 8","in":"Mail","gone":true}`, "The window is gone.", false},
		{`{"window":"Window of 8","in":"Paint","seconds":0}`, "did not appear", true},
		{`{"window":"Window of 8","in":"Paint","gone":true}`, `No window is named "Paint"`, true},
		{`{"in":"Mail","gone":true,"seconds":0}`, "gone needs element, window, or in with a condition", true},
		{`{"in":"Mail","state":"enabled","seconds":0}`, "state needs element", true},
		{`{"element":"7:e","state":"enabled","gone":true}`, "either state or gone", true},
		{`{"element":"7:e"}`, "element needs gone or state", true},
		{`{"in":"Mail","role":"button","value":"x"}`, "value needs state", true},
	} {
		if text, _, failed := do(t, s, "wait", test.args); failed != test.failed || !strings.Contains(text, test.want) {
			t.Errorf("wait %s answers %q, want %q", test.args, text, test.want)
		}
	}
	text, _, failed := do(t, s, "wait", `{"in":"Mail","role":"button","state":"text_equals","value":"Done","seconds":1}`)
	if got, want := f.last("WaitElementState"), `{"condition":{"text_equals":"Done"},"parent":"applications/7","selector":{"role":"button"},"timeout":1}`; failed || got != want {
		t.Errorf("sends %s, want %s: %s", got, want, text)
	}
}
