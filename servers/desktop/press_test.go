package desktop

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	pb "goated/servers/desktop/macosusesdk"
)

// press takes no argument that has no effect. It used to drag and ignore the action, to click an
// element twice for a count of three, and to ignore the duration of a drag.
func TestAPressUsesAllItsArguments(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	for args, want := range map[string]string{
		`{"element":"12:e","to_x":5,"to_y":6,"seconds":2}`:      `"drag":{"duration":2,"end_position":{"x":5,"y":6},"start_position":{"x":150,"y":150}}`,
		`{"x":1,"y":2,"dy":-3,"seconds":2}`:                     `"scroll":{"duration":2,"position":{"x":1,"y":2},"vertical":-3}`,
		`{"element":"12:e","count":3}`:                          `"click":{"click_count":3,"position":{"x":150,"y":150}}`,
		`{"element":"12:e","count":2,"button":"right"}`:         `"click":{"click_count":2,"click_type":"CLICK_TYPE_RIGHT","position":{"x":150,"y":150}}`,
		`{"element":"12:e","dy":1,"button":"left","count":1}`:   `"scroll":{"position":{"x":150,"y":150},"vertical":1}`,
		`{"element":"12:e","button":"right","to_x":5,"to_y":6}`: `"drag":{"button":"CLICK_TYPE_RIGHT"`,
	} {
		text, _, failed := do(t, s, "press", args)
		if got := f.last("CreateInput"); failed || !strings.Contains(got, want) {
			t.Errorf("%s sends\n%s, want\n%s: %s", args, got, want, text)
		}
	}
	for args, want := range map[string]string{
		`{"element":"12:e","x":1}`:                              "ass either element, or x and y",
		`{"x":1}`:                                               "ass either element, or x and y",
		`{"element":"12:e","to_x":1}`:                           "drag needs to_x and to_y",
		`{"element":"12:e","to_x":1,"to_y":2,"dy":3}`:           "either to_x and to_y to drag, or dx and dy to scroll",
		`{"element":"12:e","action":"press","to_x":1,"to_y":2}`: "action takes only element",
		`{"element":"12:e","action":"press","count":2}`:         "action takes only element",
		`{"x":1,"y":2,"action":"press"}`:                        "action needs element",
		`{"x":1,"y":2,"dy":1,"count":2}`:                        "count is only for clicks",
		`{"x":1,"y":2,"seconds":1,"button":"right"}`:            "button is only for clicks and drags",
	} {
		if text, _, failed := do(t, s, "press", args); !failed || !strings.Contains(text, want) {
			t.Errorf("%s answers %q, without %q", args, text, want)
		}
		if got := f.last("CreateInput"); got != "no request" {
			t.Errorf("%s sends %s", args, got)
		}
	}
}

// expect_role accepts the elements that find finds with the same role.
func TestAnExpectedRoleIsOneThatFindFinds(t *testing.T) {
	f := newFake(t)
	s := connect(t, Options{Getenv: f.environ}, nil)
	for _, test := range []struct {
		role, expected string
		fits           bool
	}{
		{"push button", "button", true}, {"toggle button", "button", true}, {"toggle button", "AXButton", true}, {"push button", "Push_Button", true},
		{"spin button", "text field", true}, {"page tab", "tab", true}, {"check menu item", "menu item", true}, {"entry", "entry", true}, {"entry", "textbox", true},
		{"check box", "button", false}, {"label", "text field", false}, {"push button", "menu item", false},
	} {
		f.on("GetElement", func(proto.Message) (proto.Message, error) {
			return &pb.Element{Role: test.role, Text: proto.String("x"), ElementId: "e"}, nil
		})
		text, _, failed := do(t, s, "press", fmt.Sprintf(`{"element":"12:e","expect_role":%q}`, test.expected))
		if failed == test.fits || failed && !strings.Contains(text, "Nothing was done") {
			t.Errorf("a %s that is expected to be a %s: %s", test.role, test.expected, text)
		}
	}
}
