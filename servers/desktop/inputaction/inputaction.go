// Package inputaction interprets the input actions of the protocol: the kind of an action, where it
// starts, which fields its text fills, its buttons and keys, and its numbers.
//
// The package is pure logic and performs nothing.
package inputaction

import (
	"iter"
	"strings"

	pb "goated/servers/desktop/macosusesdk"
)

// Kind returns the kind of an action, such as "type_text".
func Kind(a *pb.InputAction) string {
	m := a.ProtoReflect()
	if f := m.WhichOneof(m.Descriptor().Oneofs().ByName("input_type")); f != nil {
		return string(f.Name())
	}
	return ""
}

// Position returns where an action starts, or nil if it acts on the focused element.
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

// Fields splits a text after each Tab and each line break: \n, \r or \r\n.
func Fields(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			n := strings.IndexAny(text, "\t\n\r") + 1
			switch {
			case n == 0:
				n = len(text)
			case text[n-1] == '\r' && strings.HasPrefix(text[n:], "\n"):
				n++
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
