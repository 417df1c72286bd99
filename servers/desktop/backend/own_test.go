package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/backend"
	"goated/servers/desktop/guard"
	pb "goated/servers/desktop/macosusesdk"
)

// TestOwnWindowsTakeNothing tries rarer ways to reach goated's Allow button: moving the pointer,
// single halves of a press, a paste, element actions, ending the application, and the same in a
// macro.
func TestOwnWindowsTakeNothing(t *testing.T) {
	d := desk.Open(t, nil)
	touched := filepath.Join(t.TempDir(), "typed")
	mine := desk.Terminal(t, d, "goated asks: Allow?", "sh", "-c", "read x; touch "+touched+"; sleep 1000")
	b := open(t, func(o *backend.Options) { o.Own = guard.Own{PIDs: []int{mine.PID}} })
	ctx := soon(t)
	app := application(mine.PID)
	at := &pb.Point{X: float64(mine.Client.X + 20), Y: float64(mine.Client.Y + 20)}
	must[*pb.WriteClipboardResponse](t)(b.WriteClipboard(ctx, &pb.WriteClipboardRequest{Content: &pb.ClipboardContent{Content: &pb.ClipboardContent_Text{Text: "yes\n"}}}))
	call := func(_ any, err error) error { return err }
	input := func(a *pb.InputAction) error { return call(b.CreateInput(ctx, action(a))) }
	refusals := map[string]error{
		"the pointer":     input(&pb.InputAction{InputType: &pb.InputAction_MoveMouse{MoveMouse: &pb.MouseMove{Position: at}}}),
		"hover":           input(&pb.InputAction{InputType: &pb.InputAction_Hover{Hover: &pb.Hover{Position: at, Duration: 0.1}}}),
		"gesture":         input(&pb.InputAction{InputType: &pb.InputAction_Gesture{Gesture: &pb.Gesture{Center: at, GestureType: pb.Gesture_GESTURE_TYPE_ZOOM, Scale: 2}}}),
		"double click":    input(&pb.InputAction{InputType: &pb.InputAction_Click{Click: &pb.MouseClick{Position: at, ClickCount: 2}}}),
		"paste":           call(b.CreateInput(ctx, key("v", pb.KeyPress_MODIFIER_CONTROL))),
		"paste by Insert": call(b.CreateInput(ctx, key("Insert", pb.KeyPress_MODIFIER_SHIFT))),
		"element by text": call(b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app, Target: &pb.ClickElementRequest_Selector{Selector: text("Allow")}})),
		"action":          call(b.PerformElementAction(ctx, &pb.PerformElementActionRequest{Parent: app, Target: &pb.PerformElementActionRequest_Selector{Selector: text("Allow")}, Action: "click"})),
		"write":           call(b.WriteElementValue(ctx, &pb.WriteElementValueRequest{Parent: app, Target: &pb.WriteElementValueRequest_Selector{Selector: text("Allow")}, Value: "x"})),
	}
	for what, err := range refusals {
		refused(t, what, err, codes.PermissionDenied)
	}
	// goated is not listed as an application, and no button was pressed.
	refused(t, "its end", call(b.DeleteApplication(ctx, &pb.DeleteApplicationRequest{Name: app})), codes.NotFound)
	refused(t, "its details", call(b.GetApplication(ctx, &pb.GetApplicationRequest{Name: app})), codes.NotFound)
	refused(t, "a release", input(&pb.InputAction{InputType: &pb.InputAction_ButtonUp{ButtonUp: &pb.MouseButtonUp{Position: at}}}), codes.FailedPrecondition, "not pressed")
	m := must[*pb.Macro](t)(b.CreateMacro(ctx, &pb.CreateMacroRequest{Macro: &pb.Macro{DisplayName: "press Allow", Actions: []*pb.MacroAction{
		{Action: &pb.MacroAction_Input{Input: click(at.GetX(), at.GetY()).GetInput().GetAction()}},
	}}}))
	o, err := b.ExecuteMacro(ctx, &pb.ExecuteMacroRequest{Macro: m.GetName()})
	ran := new(pb.ExecuteMacroResponse)
	if result(t, b, o, err, ran); !strings.Contains(ran.GetError(), codes.PermissionDenied.String()) {
		t.Errorf("a macro: %v", ran)
	}
	if now, err := d.Window(mine.ID); err != nil || now.Frame != mine.Frame || !apps.Running(mine.PID) {
		t.Errorf("goated's window changed: %+v, %v", now, err)
	}
	if _, err := os.Stat(touched); err == nil {
		t.Error("goated's window received a line")
	}
}
