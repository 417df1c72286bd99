package backend

import (
	"context"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/fault"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/macro"
	"goated/servers/desktop/message"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/selector"
)

// A macroWorld performs the actions of macros through the backend's methods, so that each action passes
// the guard and the journal.
type macroWorld struct {
	b           *Backend
	application string // whose elements and windows the macro uses; "": the focused application
}

// Input performs an input action.
func (w *macroWorld) Input(ctx context.Context, a *pb.InputAction) error {
	_, err := w.b.CreateInput(ctx, &pb.CreateInputRequest{Parent: w.application, Input: &pb.Input{Action: a}})
	return err
}

// parent returns the application whose elements the macro uses.
func (w *macroWorld) parent(ctx context.Context) (string, error) {
	if w.application != "" {
		return w.application, nil
	}
	focused, ok, err := w.focused(ctx)
	if err != nil {
		return "", fault.Status(err)
	}
	if !ok || focused.PID == 0 {
		return "", fault.Invalid("no application has the keys: name the application of the macro")
	}
	return resourcename.Application(focused.PID), nil
}

// focused returns the window with the keyboard focus.
func (w *macroWorld) focused(ctx context.Context) (element.Window, bool, error) {
	if wl := w.b.core.wl; wl != nil {
		return wl.Focused(ctx)
	}
	s, err := w.b.core.screen()
	if err != nil {
		return element.Window{}, false, err
	}
	return s.Focused(ctx)
}

// Find returns the visible elements that match a selector.
func (w *macroWorld) Find(ctx context.Context, s *pb.ElementSelector) ([]*pb.Element, error) {
	parent, err := w.parent(ctx)
	if err != nil {
		return nil, err
	}
	fits, err := selector.Parse(s)
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	t, nodes, err := w.b.elementService.search(ctx, parent, atspi.Query{Selector: fits, Visible: true})
	if err != nil {
		return nil, err
	}
	t.Fetch(ctx, nodes, element.AllFields)
	out := make([]*pb.Element, len(nodes))
	for i, n := range nodes {
		out[i] = message.Element(t.Element(n))
	}
	return out, nil
}

// Windows returns the titles of the visible windows of the macro's application, or of all
// applications. If it returns an error, some titles may be missing.
func (w *macroWorld) Windows(ctx context.Context) (titles []string, err error) {
	pid := anyPID
	if w.application != "" {
		if pid, err = resourcename.ParseApplication(w.application); err != nil {
			return nil, err
		}
	}
	all, silent, err := w.b.windowService.all(ctx)
	if err == nil {
		err = silentError(silent, pid)
	}
	for _, x := range all {
		if x.Visible() && (pid == anyPID || x.PID == pid) {
			titles = append(titles, x.Title)
		}
	}
	return titles, fault.Status(err)
}

// Running reports whether an application has windows.
func (w *macroWorld) Running(ctx context.Context, application string) (bool, error) {
	all, err := w.b.running(ctx)
	return slices.ContainsFunc(all, func(a *pb.Application) bool {
		return a.GetName() == application || strings.EqualFold(a.GetDisplayName(), application)
	}), err
}

// Call calls a protocol method that returns a result at once. Each field is text, or JSON for a
// message. The parent defaults to the macro's application.
func (w *macroWorld) Call(ctx context.Context, method string, args map[string]string) (string, error) {
	if method == "CreateMacro" || method == "UpdateMacro" || method == "DeleteMacro" || method == "ExecuteMacro" {
		return "", fault.Invalid("a macro cannot call %s", method)
	}
	if err := w.b.Admit(ctx, method); err != nil {
		return "", err
	}
	for _, m := range pb.MacosUse_ServiceDesc.Methods {
		if m.MethodName != method {
			continue
		}
		out, err := m.Handler(w.b, ctx, func(request any) error {
			if err := macro.Fill(request.(proto.Message), w.application, args); err != nil {
				return fault.Invalid("%v", err)
			}
			return nil
		}, nil)
		if err != nil {
			return "", err
		}
		text, err := protojson.Marshal(out.(proto.Message))
		return string(text), err
	}
	return "", fault.Invalid("there is no method %q that answers at once", method)
}
