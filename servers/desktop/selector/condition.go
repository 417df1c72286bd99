package selector

import (
	"errors"
	"strings"

	pb "goated/servers/desktop/macosusesdk"
)

// Condition compiles the condition of a wait.
func Condition(c *pb.StateCondition) (func(*pb.Element) bool, error) {
	switch v := c.GetCondition().(type) {
	case *pb.StateCondition_Enabled:
		return func(e *pb.Element) bool { return e.GetEnabled() == v.Enabled }, nil
	case *pb.StateCondition_Focused:
		return func(e *pb.Element) bool { return e.GetFocused() == v.Focused }, nil
	case *pb.StateCondition_TextEquals:
		return func(e *pb.Element) bool { return e.GetText() == v.TextEquals }, nil
	case *pb.StateCondition_TextContains:
		return func(e *pb.Element) bool { return strings.Contains(e.GetText(), v.TextContains) }, nil
	case *pb.StateCondition_Attribute:
		if v.Attribute.GetAttribute() == "" {
			return nil, errors.New("the attribute of the condition has no name")
		}
		return func(e *pb.Element) bool {
			return e.GetAttributes()[v.Attribute.GetAttribute()] == v.Attribute.GetValue()
		}, nil
	}
	return nil, errors.New("the condition is missing: give enabled, focused, text_equals, text_contains or attribute")
}
