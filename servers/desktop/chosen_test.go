package desktop

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// Conditions choose the only element that shows, although a hidden tab has another one. If none
// shows, they choose the only hidden one, such as an item of a closed menu.
func TestConditionsChooseTheElementThatShows(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{AllTools: true, Getenv: f.environ}, nil)
	shown, hidden := []string{"shown"}, []string{"hidden", "shown"}
	f.on("FindElements", func(m proto.Message) (proto.Message, error) {
		ids := hidden
		if m.(*pb.FindElementsRequest).GetVisibleOnly() {
			ids = shown
		}
		reply := new(pb.FindElementsResponse)
		for _, id := range ids {
			reply.Elements = append(reply.Elements, &pb.Element{Role: "button", Text: proto.String("OK"), ElementId: id})
		}
		return reply, nil
	})
	click := func(want string) {
		t.Helper()
		text, _, _ := do(t, s, "click_element", `{"parent":"applications/1","role":"button","text":"OK"}`)
		if got := f.last("ClickElement"); !strings.Contains(got+text, want) {
			t.Errorf("sends %s, want %s: %s", got, want, text)
		}
	}
	click(`"element_id":"shown"`)
	shown, hidden = nil, []string{"item"}
	click(`"element_id":"item"`)
	shown, hidden = nil, []string{"a", "b"}
	click(`everal elements fit: button "OK" [a]; button "OK" [b]`)
	shown, hidden = []string{"a", "b"}, []string{"a", "b", "c"}
	click(`everal elements fit: button "OK" [a]; button "OK" [b]. Pass`)
}
