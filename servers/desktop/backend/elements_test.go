package backend_test

import (
	"bytes"
	"image/png"
	"testing"

	"google.golang.org/grpc/codes"

	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
)

// workplace opens a hidden desktop with elements, and a program on it.
func workplace(t testing.TB, program string) (*backend.Backend, *pb.Application) {
	t.Helper()
	desk.Need(t, program, "dbus-daemon")
	b, err := backend.New(t.Context(), backend.Options{Hidden: &hidden.Options{Width: 1000, Height: 700}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	o, err := b.OpenApplication(t.Context(), &pb.OpenApplicationRequest{Id: program})
	return b, result(t, b, o, err, new(pb.OpenApplicationResponse)).GetApplication()
}

func text(s string) *pb.ElementSelector {
	return &pb.ElementSelector{Criteria: &pb.ElementSelector_Text{Text: s}}
}

func role(s string) *pb.ElementSelector {
	return &pb.ElementSelector{Criteria: &pb.ElementSelector_Role{Role: s}}
}

func both(a, b *pb.ElementSelector) *pb.ElementSelector {
	return &pb.ElementSelector{Criteria: &pb.ElementSelector_Compound{Compound: &pb.CompoundSelector{Operator: pb.CompoundSelector_OPERATOR_AND, Selectors: []*pb.ElementSelector{a, b}}}}
}

// TestCalculator computes 12 × 12 by the elements of a GTK calculator.
func TestCalculator(t *testing.T) {
	t.Parallel()
	b, app := workplace(t, "galculator")
	ctx := soon(t)
	press := func(name string) {
		t.Helper()
		must[*pb.ClickElementResponse](t)(b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app.GetName(),
			Target: &pb.ClickElementRequest_Selector{Selector: both(role("toggle button"), text(name))}}))
	}
	found := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: app.GetName(), Selector: role("text"), VisibleOnly: true}))
	if len(found.GetElements()) != 1 || found.GetElements()[0].GetText() != "0" {
		t.Fatalf("the display is %v", found)
	}
	display := found.GetElements()[0]
	o, err := b.WaitElementState(ctx, &pb.WaitElementStateRequest{Parent: app.GetName(), Target: &pb.WaitElementStateRequest_ElementId{ElementId: display.GetElementId()},
		Condition: &pb.StateCondition{Condition: &pb.StateCondition_TextEquals{TextEquals: "144"}}, Timeout: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1", "2", "*", "1", "2", "="} {
		press(name)
	}
	if e := result(t, b, o, err, new(pb.WaitElementStateResponse)).GetElement(); e.GetText() != "144" {
		t.Errorf("the display is %v", e)
	}

	// The same by the mouse, at the places of the elements.
	press("AC")
	for _, name := range []string{"7", "8"} {
		e := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: app.GetName(), Selector: both(role("toggle button"), text(name))})).GetElements()[0]
		r := click(e.GetX()+e.GetWidth()/2, e.GetY()+e.GetHeight()/2)
		r.Parent = app.GetName()
		must[*pb.Input](t)(b.CreateInput(ctx, r))
		shot := must[*pb.CaptureElementScreenshotResponse](t)(b.CaptureElementScreenshot(ctx, &pb.CaptureElementScreenshotRequest{Parent: app.GetName(), ElementId: e.GetElementId(), Padding: 3}))
		if m, err := png.Decode(bytes.NewReader(shot.GetImageData())); err != nil || float64(m.Bounds().Dx()) != e.GetWidth()+6 {
			t.Errorf("the picture of %v: %v", e, err)
		}
	}
	desk.Until(t, "78 on the display", func() bool {
		e, err := b.GetElement(ctx, &pb.GetElementRequest{Name: app.GetName() + "/elements/" + display.GetElementId()})
		return err == nil && e.GetText() == "78"
	})
	_, err = b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app.GetName(), Target: &pb.ClickElementRequest_Selector{Selector: role("toggle button")}})
	refused(t, "a selector of many elements", err, codes.FailedPrecondition, "choose one")
	_, err = b.ClickElement(ctx, &pb.ClickElementRequest{Parent: app.GetName(), Target: &pb.ClickElementRequest_Selector{Selector: text("nothing")}})
	refused(t, "a selector of no element", err, codes.NotFound)
	_, err = b.GetElement(ctx, &pb.GetElementRequest{Name: app.GetName() + "/elements/e99999"})
	refused(t, "an element that never was", err, codes.NotFound)
	windows := must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: app.GetName()})).GetWindows()
	below := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: windows[0].GetName(), Selector: text("=")}))
	if len(below.GetElements()) != 1 {
		t.Errorf("the window has %v", below)
	}
}
