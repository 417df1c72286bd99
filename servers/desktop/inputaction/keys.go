package inputaction

import (
	"goated/servers/desktop/fault"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/input"
)

// Button returns the button of a click.
func Button(t pb.MouseClick_ClickType) (input.Button, error) {
	switch t {
	case pb.MouseClick_CLICK_TYPE_UNSPECIFIED, pb.MouseClick_CLICK_TYPE_LEFT:
		return input.Left, nil
	case pb.MouseClick_CLICK_TYPE_RIGHT:
		return input.Right, nil
	case pb.MouseClick_CLICK_TYPE_MIDDLE:
		return input.Middle, nil
	}
	return 0, fault.Invalid("there is no mouse button %d", t)
}

// Modifiers returns the modifier keys to hold.
func Modifiers(list []pb.KeyPress_Modifier) (out []input.Modifier, err error) {
	for _, m := range list {
		switch m {
		case pb.KeyPress_MODIFIER_COMMAND:
			out = append(out, input.Command)
		case pb.KeyPress_MODIFIER_OPTION:
			out = append(out, input.Option)
		case pb.KeyPress_MODIFIER_CONTROL:
			out = append(out, input.Control)
		case pb.KeyPress_MODIFIER_SHIFT:
			out = append(out, input.Shift)
		case pb.KeyPress_MODIFIER_CAPS_LOCK:
			out = append(out, input.CapsKey)
		case pb.KeyPress_MODIFIER_FUNCTION:
			return nil, fault.Invalid("the modifier fn does not exist on Linux; press the key itself, like F5")
		default:
			return nil, fault.Invalid("there is no modifier %d", m)
		}
	}
	return out, nil
}
