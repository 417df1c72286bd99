package desktop

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"

	"goated/servers/desktop/convert"
	pb "goated/servers/desktop/macosusesdk"
)

// afterInput waits until an input ends and returns the answer. A service may keep only the length
// of the typed text, so the answer counts the text in the request.
func (c *call) afterInput(ctx context.Context, req protoreflect.Message, in *pb.Input) (*answer, error) {
	end := time.NewTimer(c.limit(c.tool.method, req.Interface()))
	defer end.Stop()
	for wait := 5 * time.Millisecond; c.tool.method == "CreateInput" && (in.GetState() == pb.Input_STATE_PENDING || in.GetState() == pb.Input_STATE_EXECUTING); wait = min(2*wait, 200*time.Millisecond) {
		pause := time.NewTimer(wait)
		select {
		case <-pause.C:
		case <-end.C:
			pause.Stop()
			return nil, &failure{codeServer, "DEADLINE_EXCEEDED", "the input did not finish in time", "Look at the desktop before you repeat it."}
		case <-ctx.Done():
			pause.Stop()
			return nil, ctx.Err()
		}
		next := new(pb.Input)
		if err := c.link.Call(ctx, "GetInput", &pb.GetInputRequest{Name: in.GetName()}, next); err != nil {
			return nil, err
		}
		in = next
	}
	if c.tool.method == "CreateInput" && in.GetState() == pb.Input_STATE_FAILED {
		return nil, refused("the input failed: "+textOr(in.GetError(), "no reason given"), "Look at the desktop, then try another way.")
	}
	data := convert.Object(in.ProtoReflect())
	a, _ := fit(data, c.budget())
	if c.tool.method != "CreateInput" {
		return a, nil
	}
	done := in.GetAction()
	if asked, ok := req.Interface().(*pb.CreateInputRequest); ok && asked.GetInput().GetAction().GetTypeText() != nil {
		done = asked.GetInput().GetAction()
	}
	a.text = "Done: " + inputText(done) + "."
	return a, nil
}

func textOr(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// inputText describes an input action in words.
func inputText(a *pb.InputAction) string {
	at := func(p *pb.Point) string { return fmt.Sprintf("(%.0f, %.0f)", p.GetX(), p.GetY()) }
	switch v := a.GetInputType().(type) {
	case *pb.InputAction_Click:
		return "clicked at " + at(v.Click.GetPosition())
	case *pb.InputAction_TypeText:
		return "typed " + withUnit(len([]rune(v.TypeText.GetText())), "character")
	case *pb.InputAction_PressKey:
		var keys []string
		for _, m := range v.PressKey.GetModifiers() {
			keys = append(keys, convert.EnumName(m.Descriptor(), m.Number()))
		}
		return "pressed " + strings.Join(append(keys, v.PressKey.GetKey()), "+")
	case *pb.InputAction_MoveMouse:
		return "moved the pointer to " + at(v.MoveMouse.GetPosition())
	case *pb.InputAction_Drag:
		return "dragged from " + at(v.Drag.GetStartPosition()) + " to " + at(v.Drag.GetEndPosition())
	case *pb.InputAction_Scroll:
		return fmt.Sprintf("scrolled by (%g, %g)", v.Scroll.GetHorizontal(), v.Scroll.GetVertical())
	case *pb.InputAction_Hover:
		return "hovered at " + at(v.Hover.GetPosition())
	case *pb.InputAction_Gesture:
		return "made a gesture at " + at(v.Gesture.GetCenter())
	case *pb.InputAction_ButtonDown:
		return "pressed the button at " + at(v.ButtonDown.GetPosition())
	case *pb.InputAction_ButtonUp:
		return "released the button at " + at(v.ButtonUp.GetPosition())
	}
	return "made the input"
}

// withUnit returns a number with its unit, such as "1 second" or "2 seconds".
func withUnit[N int | float64](n N, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%v %s", n, what)
}

// keyCombination splits "ctrl+shift+s" into a key and its modifiers. The plus key is "+"
// or "ctrl++".
func keyCombination(combination string) (key string, modifiers []any) {
	rest := combination
	for {
		i := strings.Index(rest, "+")
		if i <= 0 || i == len(rest)-1 {
			return rest, modifiers
		}
		modifiers, rest = append(modifiers, strings.TrimSpace(rest[:i])), strings.TrimSpace(rest[i+1:])
	}
}

// pressKey runs press_key and hold_key.
func pressKey(ctx context.Context, c *call) (*answer, error) {
	if key, more := keyCombination(c.text("key")); len(more) > 0 {
		had, _ := c.args["modifiers"].([]any)
		c.args["key"], c.args["modifiers"] = key, append(more, had...)
	}
	return c.callMethod(ctx)
}

// onElement runs the tools that act on an element. It finds the element, checks that it is the
// expected one, and acts on exactly that element.
func onElement(ctx context.Context, c *call) (*answer, error) {
	parent, err := c.resolve(ctx, "place", c.text("parent"))
	if err != nil {
		return nil, err
	}
	e, err := c.element(ctx, parent)
	if err != nil {
		return nil, err
	}
	if c.tool.method == "WriteElementValue" && secret(e) {
		return nil, errSecret()
	}
	c.args["parent"], c.args["element_id"] = parent, e.GetElementId()
	for _, name := range []string{"role", "text", "text_contains", "text_regex", "selector"} {
		delete(c.args, name)
	}
	a, err := c.callMethod(ctx)
	if err != nil || a.failed {
		return a, err
	}
	if c.tool.method == "WriteElementValue" {
		c.readBack(a)
	}
	return a, nil
}

// readBack adds a note if the element's text now differs from the written value.
func (c *call) readBack(a *answer) {
	e, _ := a.data["element"].(map[string]any)
	have, ok := e["text"].(string)
	if !ok || strings.Contains(have, "… [") || sameValue(c.text("value"), have, textOf(e, "role", "")) {
		return
	}
	addNote(a.data, "The field now reads "+quote(have)+", not the written value.")
	a.text = render(a.data)
}

// sameValue reports whether an element with a role shows a written value. An empty field shows its
// label. Chromium adds an empty line to a text area. Applications change the line endings. A slider
// shows its number in its own form.
func sameValue(want, have, role string) bool {
	want, have = strings.ReplaceAll(want, "\r\n", "\n"), strings.ReplaceAll(have, "\r\n", "\n")
	if want == "" || want == have || want == strings.TrimSuffix(have, "\n") {
		return true
	}
	if !holdsNumber(role) {
		return false // a table cell may turn the written 007 into 7
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(want), 64)
	shown, err2 := strconv.ParseFloat(strings.TrimSpace(have), 64)
	return err == nil && err2 == nil && number == shown
}

// holdsNumber reports whether elements of a role hold a number, such as slider, AXSlider and spin
// button.
func holdsNumber(role string) bool {
	role = strings.ToLower(role)
	return strings.Contains(role, "slider") || strings.Contains(role, "spin") || strings.Contains(role, "scroll")
}
