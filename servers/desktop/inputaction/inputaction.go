// Package inputaction reads the input actions of the protocol: of what kind one is, where it
// begins, which fields a text fills, which buttons and keys it has, and its numbers.
//
// It is pure logic, and performs nothing.
package inputaction

import (
	"iter"
	"strings"

	pb "goated/servers/desktop/macosusesdk"
)

// Kind names what an action does, such as "type_text".
func Kind(a *pb.InputAction) string {
	m := a.ProtoReflect()
	if f := m.WhichOneof(m.Descriptor().Oneofs().ByName("input_type")); f != nil {
		return string(f.Name())
	}
	return ""
}

// Position returns where an action begins; nil: at the focus.
func Position(a *pb.InputAction) *pb.Point {
	switch v := a.GetInputType().(type) {
	case *pb.InputAction_Click:
		return v.Click.GetPosition()
	case *pb.InputAction_MoveMouse:
		return v.MoveMouse.GetPosition()
	case *pb.InputAction_Drag:
		return v.Drag.GetStartPosition()
	case *pb.InputAction_Scroll:
		return v.Scroll.GetPosition()
	case *pb.InputAction_Hover:
		return v.Hover.GetPosition()
	case *pb.InputAction_Gesture:
		return v.Gesture.GetCenter()
	case *pb.InputAction_ButtonDown:
		return v.ButtonDown.GetPosition()
	case *pb.InputAction_ButtonUp:
		return v.ButtonUp.GetPosition()
	}
	return nil
}

// Fields splits a text after each Tab and each line break.
func Fields(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			n := strings.IndexAny(text, "\t\n") + 1
			if n == 0 {
				n = len(text)
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
