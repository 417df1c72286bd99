package backend

import (
	"context"
	"fmt"
	"slices"
	"time"

	"goated/internal/goroutines"
	"goated/servers/desktop/element"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/clipboard"
	"goated/servers/desktop/x11/input"
	"goated/servers/desktop/x11/screenshot"
)

// A screen is an X11 display with everything that acts on it. It implements guard.Screen and input.Guard.
type screen struct {
	desktop   *x11.Desktop
	camera    *screenshot.Camera
	input     *input.Input
	clipboard *clipboard.Clipboard
	guard     *guard.Guard // set before the first action
	forget    func()       // makes the guard check the focused field again; set together with guard

	calls goroutines.Group // calls of the service; see [Backend.Bound]
}

func openScreen(ctx context.Context, display, authority string, own func(element.Window) bool, secure func(context.Context) ([]element.Rect, error)) (*screen, error) {
	s := &screen{}
	secret := func(ctx context.Context) ([]x11.Rect, error) {
		list, err := secure(ctx)
		out := make([]x11.Rect, len(list))
		for i, r := range list {
			out[i] = pixels(r)
		}
		return out, err
	}
	var err error
	s.desktop, err = x11.Open(ctx, x11.Options{Display: display, Authority: authority,
		Own: func(w x11.Window) bool { return own(elementWindow(w)) }})
	if err != nil {
		return nil, err
	}
	s.camera, err = screenshot.New(ctx, screenshot.Options{Desktop: s.desktop, Display: display, Authority: authority, Secret: secret})
	if err == nil {
		s.input, s.clipboard, err = openInput(ctx, display, authority, s)
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// answering is how long the display may take to answer while the backend closes.
const answering = time.Second

// abandon aborts the connections to a display that hangs, so that the calls that wait for it fail.
func (s *screen) abandon() {
	if s.desktop.Conn().Answers(answering) {
		return
	}
	s.desktop.Conn().Abort()
	s.camera.Abort()
	s.input.Abort()
	s.clipboard.Abort()
}

func (s *screen) close() {
	s.calls.Close()
	if s.clipboard != nil {
		s.clipboard.Close()
	}
	if s.input != nil {
		s.input.Close()
	}
	if s.camera != nil {
		s.camera.Close()
	}
	s.desktop.Close()
}

// rect converts a rectangle of the display to an element.Rect.
func rect(r x11.Rect) element.Rect {
	return element.Rect{X: float64(r.X), Y: float64(r.Y), Width: float64(r.W), Height: float64(r.H)}
}

func pixels(r element.Rect) x11.Rect {
	return x11.Rect{X: int(r.X), Y: int(r.Y), W: int(r.Width), H: int(r.Height)}
}

// elementWindow converts a window to an element.Window.
func elementWindow(w x11.Window) element.Window {
	return element.Window{ID: uint64(w.ID), PID: w.PID, Title: w.Title, Class: w.Class, Kind: w.Type, Bounds: rect(w.Frame), Client: rect(w.Client)}
}

// Layers implements guard.Screen.
func (s *screen) Layers(context.Context) ([]guard.Layer, error) {
	list, err := s.desktop.Layers()
	out := make([]guard.Layer, len(list))
	for i, l := range list {
		out[i] = guard.Layer{Window: elementWindow(l.Window), Bounds: rect(l.Bounds), Shaped: l.Shaped}
		for _, r := range l.Solid {
			out[i].Solid = append(out[i].Solid, rect(r))
		}
	}
	return out, err
}

// Focused implements guard.Screen.
func (s *screen) Focused(context.Context) (element.Window, bool, error) {
	w, ok, err := s.desktop.Focused()
	return elementWindow(w), ok, err
}

// expectedKey is the context key for the PID of the process that an input is for.
type expectedKey struct{}

// withExpectedPID returns a context in which every press fails if it would reach another process.
func withExpectedPID(ctx context.Context, pid int) context.Context {
	return context.WithValue(ctx, expectedKey{}, pid)
}

// Point implements input.Guard. It refuses goated's own windows, password fields, and programs
// other than the expected one.
func (s *screen) Point(ctx context.Context, x, y int) error {
	if err := s.guard.Pointer(ctx, element.Point{X: float64(x), Y: float64(y)}); err != nil {
		return err
	}
	return s.checkExpected(ctx, x, y)
}

// Press implements input.Guard. It also refuses terminals.
func (s *screen) Press(ctx context.Context, x, y int) error {
	if err := s.guard.Press(ctx, element.Point{X: float64(x), Y: float64(y)}); err != nil {
		return err
	}
	return s.checkExpected(ctx, x, y)
}

// Drop implements input.Guard. It also refuses anything that could be a password field.
func (s *screen) Drop(ctx context.Context, x, y int) error {
	if err := s.guard.Drop(ctx, element.Point{X: float64(x), Y: float64(y)}); err != nil {
		return err
	}
	return s.checkExpected(ctx, x, y)
}

// checkExpected refuses a point that belongs to a program other than the expected one.
func (s *screen) checkExpected(ctx context.Context, x, y int) error {
	pid, ok := ctx.Value(expectedKey{}).(int)
	if !ok {
		return nil
	}
	w, there, err := s.desktop.At(x, y)
	switch {
	case err != nil:
		return err
	case !there:
		return fmt.Errorf("%w: no window is at %d, %d any more", x11.ErrRefused, x, y)
	case w.PID != pid:
		return fmt.Errorf("%w: the window %q of %s (process %d) is at %d, %d, and not process %d", x11.ErrRefused, w.Title, w.Class, w.PID, x, y, pid)
	}
	return nil
}

// Keys implements input.Guard.
func (s *screen) Keys(ctx context.Context) error {
	if err := s.guard.Keys(ctx); err != nil {
		return err
	}
	pid, ok := ctx.Value(expectedKey{}).(int)
	if !ok {
		return nil
	}
	w, there, err := s.desktop.Focused()
	switch {
	case err != nil:
		return err
	case !there:
		return fmt.Errorf("%w: no window receives keys", x11.ErrRefused)
	case w.PID != pid:
		return fmt.Errorf("%w: the window %q of %s (process %d) receives the keys, and not process %d", x11.ErrRefused, w.Title, w.Class, w.PID, pid)
	}
	return nil
}

// windowsOf is the Windows function of the accessibility bus.
func (s *screen) windowsOf(_ context.Context, pid int) (out []element.Window, err error) {
	all, err := s.desktop.Windows()
	for _, w := range all {
		if w.PID == pid && w.Visible() {
			out = append(out, elementWindow(w))
		}
	}
	return out, err
}

// covered is the Covered function of the accessibility bus.
func (s *screen) covered(ctx context.Context, pid int, at element.Point) (string, error) {
	layers, err := s.Layers(ctx)
	by := guard.Covered(layers, pid, at)
	if err != nil || by == "" {
		return by, err
	}
	all, err := s.desktop.Windows()
	all = slices.DeleteFunc(all, func(w x11.Window) bool { return w.PID != pid })
	if len(all) > 0 && !slices.ContainsFunc(all, x11.Window.Visible) {
		err = fmt.Errorf("%w: the window %q is minimised or on another workspace; restore it first", x11.ErrRefused, all[0].Title)
	}
	return by, err
}

// replace is the Paste function of the accessibility bus.
func (s *screen) replace(ctx context.Context, text string) error {
	return s.clipboard.Replace(ctx, keys{s.input}, text)
}

// keys implements clipboard.Keyboard.
type keys struct{ in *input.Input }

func (k keys) Press(ctx context.Context, chord string) error { return k.in.Key(ctx, chord, 0) }

func (k keys) Type(ctx context.Context, text string) error { return k.in.Type(ctx, text, 0) }
