package message

import (
	"fmt"

	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/x11"
)

// Window converts a window to a message of the protocol. On Wayland its position is unknown.
func Window(w x11.Window) *pb.Window {
	m := &pb.Window{Name: resourcename.Window(w.PID, w.ID), Title: w.Title, ZIndex: int32(w.Z), Visible: w.Visible(), BundleId: w.Class}
	if w.Frame.W > 0 {
		m.Bounds = &pb.Bounds{X: float64(w.Frame.X), Y: float64(w.Frame.Y), Width: float64(w.Frame.W), Height: float64(w.Frame.H)}
	}
	return m
}

// Event returns the protocol's kind of window event for a change, or 0 if there is none.
func Event(k x11.Kind) pb.WindowEvent_WindowEventType {
	switch k {
	case x11.Created:
		return pb.WindowEvent_WINDOW_EVENT_TYPE_CREATED
	case x11.Destroyed:
		return pb.WindowEvent_WINDOW_EVENT_TYPE_DESTROYED
	case x11.Moved:
		return pb.WindowEvent_WINDOW_EVENT_TYPE_MOVED
	case x11.Resized:
		return pb.WindowEvent_WINDOW_EVENT_TYPE_RESIZED
	case x11.Minimized:
		return pb.WindowEvent_WINDOW_EVENT_TYPE_MINIMIZED
	case x11.Restored:
		return pb.WindowEvent_WINDOW_EVENT_TYPE_RESTORED
	case x11.FocusGained:
		return pb.WindowEvent_WINDOW_EVENT_TYPE_FOCUSED
	case x11.Hidden:
		return pb.WindowEvent_WINDOW_EVENT_TYPE_HIDDEN
	case x11.Shown:
		return pb.WindowEvent_WINDOW_EVENT_TYPE_SHOWN
	}
	return pb.WindowEvent_WINDOW_EVENT_TYPE_UNSPECIFIED
}

// Region converts a rectangle to a message of the protocol.
func Region(r x11.Rect) *pb.Region {
	return &pb.Region{X: float64(r.X), Y: float64(r.Y), Width: float64(r.W), Height: float64(r.H)}
}

// Display converts a display to a message of the protocol.
func Display(d x11.Display) *pb.Display {
	return &pb.Display{Name: fmt.Sprintf("displays/%d", d.ID), DisplayId: d.ID, Frame: Region(d.Frame), VisibleFrame: Region(d.Work), IsMain: d.Main, Scale: d.Scale}
}
