// Package screentest lets tests use a window as a person does: press, type,
// scroll and read the screen.
//
// It knows Fyne's canvas and nothing of goated. It finds widgets in the tree that
// is drawn, by the text that they show: a widget shows text if it is a
// [fmt.Stringer], a field if it also has Hint() string, an icon if it has
// Icon() string, a scroller if it has Scroller() *container.Scroll. It sees only the top
// layer, because nothing else takes input.
package screentest

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// A Screen is a window under test. Its methods belong to the goroutine that runs
// what the window posts.
type Screen struct {
	*tree
	Reader
	Pointer
	Keyboard
	Checker
}

// A tree finds the objects that a window draws.
type tree struct {
	T      testing.TB
	Window fyne.Window
}

// A Reader reads the texts and looks at the pictures of a window.
type Reader struct{ *tree }

// A Pointer is the mouse.
type Pointer struct {
	*tree
	hovered desktop.Hoverable
}

// A Keyboard types, and moves the focus.
type Keyboard struct{ *tree }

// A Checker finds what is drawn wrongly: text without room, a focus that does not show.
type Checker struct{ *tree }

// New returns the screen of a window that was made by Fyne's test driver.
func New(t testing.TB, w fyne.Window) *Screen {
	tr := &tree{T: t, Window: w}
	return &Screen{tree: tr, Reader: Reader{tr}, Pointer: Pointer{tree: tr}, Keyboard: Keyboard{tr}, Checker: Checker{tr}}
}

// Canvas returns the window's canvas.
func (tr *tree) Canvas() fyne.Canvas { return tr.Window.Canvas() }

// A box is the place of an object on the canvas.
type box struct {
	at   fyne.Position
	size fyne.Size
}

func (b box) middle() fyne.Position { return b.at.AddXY(b.size.Width/2, b.size.Height/2) }

func (b box) holds(p fyne.Position) bool {
	return p.X >= b.at.X && p.Y >= b.at.Y && p.X < b.at.X+b.size.Width && p.Y < b.at.Y+b.size.Height
}

// within returns the part of b that is in o.
func (b box) within(o box) box {
	x, y := max(b.at.X, o.at.X), max(b.at.Y, o.at.Y)
	w := min(b.at.X+b.size.Width, o.at.X+o.size.Width) - x
	h := min(b.at.Y+b.size.Height, o.at.Y+o.size.Height) - y
	return box{fyne.NewPos(x, y), fyne.NewSize(max(w, 0), max(h, 0))}
}

// A node is an object that is visible, with what it is in.
type node struct {
	object fyne.CanvasObject
	box    box // on the canvas, where it is scrolled to
	clip   box // what scrollers around it leave in sight
	up     *node
}

// field reports whether the node is a field to type into, and its hint.
func (n *node) field() (hint string, ok bool) {
	f, ok := n.object.(interface {
		fyne.Focusable
		Hint() string
	})
	if !ok {
		return "", false
	}
	return f.Hint(), true
}

// text returns what the node shows by itself. Parts of a widget that says its own
// text are skipped; see visit.
func (n *node) text() (string, bool) {
	switch o := n.object.(type) {
	case *canvas.Text:
		return o.Text, o.Text != ""
	case fmt.Stringer:
		text := o.String()
		return text, text != ""
	}
	return "", false
}

// layer returns the root of what takes input: the topmost overlay or the page.
func (tr *tree) layer() fyne.CanvasObject {
	c := tr.Canvas()
	if top := c.Overlays().Top(); top != nil {
		return top
	}
	return c.Content()
}

// visit calls f for each visible object below root in the order in which it is
// drawn, until f returns false. Where skip is set, the parts of a widget that
// shows text are left out: they draw the same text again.
func (tr *tree) visit(root fyne.CanvasObject, skip bool, f func(*node) bool) {
	c := tr.Canvas()
	all := box{size: c.Size()}
	var walk func(o fyne.CanvasObject, at fyne.Position, clip box, up *node) bool
	walk = func(o fyne.CanvasObject, at fyne.Position, clip box, up *node) bool {
		if !o.Visible() {
			return true
		}
		at = at.Add(o.Position())
		n := &node{o, box{at, o.Size()}, clip, up}
		if !f(n) {
			return false
		}
		var parts []fyne.CanvasObject
		switch o := o.(type) {
		case *fyne.Container:
			parts = o.Objects
		case fyne.Widget:
			if parts = test.WidgetRenderer(o).Objects(); scrollerOf(o) != nil {
				clip = clip.within(n.box)
			}
		}
		text, told := "", false
		if skip {
			if _, ok := n.field(); ok {
				return true // it draws its text again
			}
			if _, is := o.(fyne.Widget); is {
				text, told = n.text()
			}
		}
		for _, part := range parts {
			if told && repeats(part, text) {
				continue
			}
			if !walk(part, at, clip, n) {
				return false
			}
		}
		return true
	}
	walk(root, fyne.Position{}, all, nil)
}

// repeats reports whether a part of a widget draws the widget's text.
func repeats(part fyne.CanvasObject, text string) bool {
	switch part := part.(type) {
	case *canvas.Text:
		return true
	case fmt.Stringer:
		return part.String() == text
	}
	return false
}

// find returns the nth node of the top layer for which ok holds; nil if there is none.
func (tr *tree) find(nth int, ok func(*node) bool) (found *node) {
	tr.visit(tr.layer(), true, func(n *node) bool {
		if ok(n) {
			if nth == 0 {
				found = n
				return false
			}
			nth--
		}
		return true
	})
	return found
}
