package atspi_test

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"goated/internal/waittest"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/copied"
	"goated/servers/desktop/element"
	"goated/servers/desktop/x11/clipboard"
	"goated/servers/desktop/x11/input"
)

// keyboard returns a function that pastes over the clipboard into the focused element, as the backend
// does.
func keyboard(t testing.TB) func(context.Context, string) error {
	t.Helper()
	board, err := clipboard.Open(t.Context(), clipboard.Options{Display: desk.Display, Authority: desk.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(board.Close)
	keys, err := input.New(t.Context(), input.Options{Display: desk.Display, Authority: desk.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(keys.Close)
	return func(ctx context.Context, text string) error {
		if err := board.Write(ctx, copied.Content{Kind: copied.Text, Text: text}); err != nil {
			return err
		}
		if err := keys.Key(ctx, "a", 0, input.Control); err != nil {
			return err
		}
		return keys.Key(ctx, "v", 0, input.Control)
	}
}

// A GTK 3 calculator computes 12 × 12. Its buttons are found by their names and pressed, and the result
// is read back.
func TestCalculatorComputes(t *testing.T) {
	d := desk.Open(t, nil)
	b := connect(t, atspi.Options{Windows: windows(d)})
	pid := start(t, "galculator")
	snap := tree(t, b, pid, "button")
	for _, name := range []string{"1", "2", "*", "1", "2", "="} {
		_, target := one(t, b, snap, "role:button AND text:"+name)
		if _, err := b.Act(t.Context(), target, atspi.Expect{Role: "button", Name: name}, "press"); err != nil {
			t.Fatal(err)
		}
	}
	_, display := one(t, b, snap, "role:text AND attribute.focusable:true")
	desk.Until(t, "result 144", func() bool {
		text, _, err := b.Content(t.Context(), display)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(text, "144")
	})
}

// GTK 4 reports positions relative to its windows. A click at the center of a button in the tree
// presses that button, although the window has an invisible shadow.
func TestPlacesOfGTK4AreOnTheScreen(t *testing.T) {
	d := desk.Open(t, nil)
	b := connect(t, atspi.Options{Windows: windows(d)})
	pid := start(t, "gnome-calculator")
	desk.Window(t, d, "Calculator")
	snap := tree(t, b, pid, "button AND text:=")
	mouse, err := input.New(t.Context(), input.Options{Display: desk.Display, Authority: desk.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	defer mouse.Close()
	for _, name := range []string{"1", "2", "×", "1", "2", "="} {
		var e element.Element
		desk.Until(t, "layout that stays", func() bool {
			before := e
			now, err := b.Snapshot(t.Context(), snap.App)
			if err != nil { // on a busy machine it may not answer in time
				return false
			}
			snap = now
			e, _ = one(t, b, snap, "role:button AND text:"+name)
			return e.Placed && e.Bounds == before.Bounds
		})
		at := e.Bounds.Center()
		if err := mouse.Click(t.Context(), int(at.X), int(at.Y), input.Left, 1); err != nil {
			t.Fatal(err)
		}
	}
	desk.Until(t, "result 144", func() bool {
		a, err := b.Application(t.Context(), pid)
		if err != nil {
			t.Fatal(err)
		}
		now, err := b.Snapshot(t.Context(), a)
		return err == nil && len(find(t, now, "role:text AND text_regex:\\b144\\b")) > 0
	})
}

// Text is written to a GTK 3 editor with the editor's own method and reads back unchanged.
func TestTextMakesTheRoundTrip(t *testing.T) {
	d := desk.Open(t, nil)
	b := connect(t, atspi.Options{Windows: windows(d)})
	pid := start(t, "mousepad")
	snap := tree(t, b, pid, "text")
	e, target := one(t, b, snap, "role:text AND attribute.multi-line:true")
	w := desk.Window(t, d, "Mousepad")
	frame := element.Rect{X: float64(w.Frame.X), Y: float64(w.Frame.Y), Width: float64(w.Frame.W), Height: float64(w.Frame.H)}
	if !frame.Contains(e.Bounds) {
		t.Errorf("the text at %v is outside its window at %v", e.Bounds, frame)
	}
	for _, text := range []string{"naïve 日本語 🙂", "two\nlines\n", ""} {
		if _, err := b.Write(t.Context(), target, atspi.Expect{Role: "text"}, text); err != nil {
			t.Fatal(err)
		}
		if have, _, err := b.Content(t.Context(), target); err != nil || have != text {
			t.Errorf("%q, %v; want %q", have, err, text)
		}
	}
	snap, err := b.Snapshot(t.Context(), snap.App)
	if err != nil {
		t.Fatal(err)
	}
	menu := find(t, snap, "role:menu AND text:File")
	if len(menu) != 1 {
		t.Fatalf("no menu:\n%s", snap)
	}
	changes, err := b.Watch(t.Context(), snap.App)
	if err != nil {
		t.Fatal(err)
	}
	target, _ = b.Target(snap.Element(menu[0]).ID)
	if _, err := b.Act(t.Context(), target, atspi.Expect{}, "press"); err != nil {
		t.Fatal(err)
	}
	waittest.Receive(t, "a change of the program", changes) // the test's timeout ends a wait without success
	desk.Until(t, "open menu", func() bool {
		snap, err := b.Snapshot(t.Context(), snap.App)
		return err == nil && len(find(t, snap, "role:menuitem AND text_contains:Save As")) > 0
	})
}

// For a program without a tree the error suggests using coordinates.
func TestProgramsWithoutATree(t *testing.T) {
	b := connect(t, atspi.Options{})
	pid := start(t, "xterm", "-e", "sleep", "100")
	var none *atspi.NoTreeError
	if _, err := b.Application(t.Context(), pid); !errors.As(err, &none) || !strings.Contains(err.Error(), "screenshot") || none.Name != "xterm" {
		t.Errorf("%v", err)
	}
	electron := &atspi.NoTreeError{Name: "slack", Why: "its tree is empty"}
	if !strings.Contains(electron.Error(), "--force-renderer-accessibility") {
		t.Error(electron)
	}
}

// Qt 5 exposes its tree only through single calls. As root it finds the bus through a property of the
// root window.
func TestQtIsWalked(t *testing.T) {
	d := desk.Open(t, nil)
	b := connect(t, atspi.Options{Windows: windows(d), Budget: patient})
	desk.Need(t, "featherpad", "xprop")
	set := exec.Command("xprop", "-root", "-f", "AT_SPI_BUS", "8s", "-set", "AT_SPI_BUS", buses.Accessibility)
	set.Env = desk.Environ(nil)
	if out, err := set.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pid := start(t, "featherpad", "--standalone")
	snap := tree(t, b, pid, "text")
	if snap.App.Toolkit != "Qt" || len(find(t, snap, "role:menuitem AND text:Edit")) == 0 {
		t.Errorf("%+v:\n%s", snap.App, snap)
	}
	_, target := one(t, b, snap, "role:text AND attribute.multi-line:true")
	if _, err := b.Write(t.Context(), target, atspi.Expect{}, "naïve 日本語 🙂"); err != nil {
		t.Error(err)
	}
}

// A GTK 4 text field has no method for writing, so it is filled over the clipboard.
func TestWritingOverTheClipboard(t *testing.T) {
	d := desk.Open(t, nil)
	b := connect(t, atspi.Options{Windows: windows(d), Paste: keyboard(t)})
	pid := start(t, "gnome-calculator")
	desk.Window(t, d, "Calculator")
	snap := tree(t, b, pid, "text")
	_, target := one(t, b, snap, "role:text AND attribute.editable:true")
	if _, err := b.Write(t.Context(), target, atspi.Expect{}, "12×12"); err != nil {
		t.Error(err)
	}
}
