package dialogsocket

// NoWindowError means that goated cannot open the window in which it would ask. It is an [ErrClosed].
type NoWindowError struct {
	Built bool // the program has a window, but no display
}

func (e NoWindowError) Error() string {
	why := "this goated was built without one"
	if e.Built {
		why = "there is no display to open it on"
	}
	return "goated can't ask the user: its window is not open, and " + why
}

// Is implements the interface of [errors.Is].
func (NoWindowError) Is(target error) bool { return target == ErrClosed }
