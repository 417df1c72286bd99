// Package screentest lets tests use a window as a person does: press, type, scroll and read the
// screen.
//
// It depends on Fyne's canvas but on nothing of goated. It finds widgets in the drawn tree by
// the text that they show. A widget shows text if it is a [fmt.Stringer]. It is a field if it
// also has Hint() string, an icon if it has Icon() string, and a scroller if it has Scroller()
// *container.Scroll. The package looks only at the top layer, because nothing else receives
// input.
package screentest

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// A Screen is a window under test. Its methods belong to the goroutine that runs the functions
// that the window posts.
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

// A Reader reads the texts and inspects the pictures of a window.
type Reader struct{ *tree }

// A Pointer is the mouse pointer.
type Pointer struct {
	*tree
	hovered desktop.Hoverable
}

// A Keyboard types and moves the focus.
type Keyboard struct{ *tree }

// A Checker finds drawing mistakes, such as text without enough room or a focus that is not
// visible.
type Checker struct{ *tree }

// New returns the screen of a window made by Fyne's test driver.
func New(t testing.TB, w fyne.Window) *Screen {
	tr := &tree{T: t, Window: w}
	return &Screen{tree: tr, Reader: Reader{tr}, Pointer: Pointer{tree: tr}, Keyboard: Keyboard{tr}, Checker: Checker{tr}}
}

// Canvas returns the window's canvas.
func (tr *tree) Canvas() fyne.Canvas { return tr.Window.Canvas() }

// A box is the position and the size of an object on the canvas.
type box struct {
	at   fyne.Position
	size fyne.Size
}

func (b box) middle() fyne.Position { return b.at.AddXY(b.size.Width/2, b.size.Height/2) }

func (b box) holds(p fyne.Position) bool {
	return p.X >= b.at.X && p.Y >= b.at.Y && p.X < b.at.X+b.size.Width && p.Y < b.at.Y+b.size.Height
}

// within returns the part of b that lies in o.
func (b box) within(o box) box {
	x, y := max(b.at.X, o.at.X), max(b.at.Y, o.at.Y)
	w := min(b.at.X+b.size.Width, o.at.X+o.size.Width) - x
	h := min(b.at.Y+b.size.Height, o.at.Y+o.size.Height) - y
	return box{fyne.NewPos(x, y), fyne.NewSize(max(w, 0), max(h, 0))}
}

// A node is a visible object together with its ancestors.
type node struct {
	object fyne.CanvasObject
	box    box // position and size on the canvas after scrolling
	clip   box // the part that the surrounding scrollers leave visible
	up     *node
}

// field reports whether the node is an input field, and returns its hint.
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

// text returns the text that the node itself shows. visit skips the parts of a widget that
// reports its own text.
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

// layer returns the root of the tree that receives input: the topmost overlay or the page.
func (tr *tree) layer() fyne.CanvasObject {
	c := tr.Canvas()
	if top := c.Overlays().Top(); top != nil {
		return top
	}
	return c.Content()
}

// visit calls f for each visible object below root in drawing order until f returns false. If
// skip is true, it omits the parts of a widget that shows text, because they draw the same text
// again.
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
				return true // draws the widget's text again
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

// repeats reports whether a part of a widget draws the widget's text again.
func repeats(part fyne.CanvasObject, text string) bool {
	switch part := part.(type) {
	case *canvas.Text:
		return true
	case fmt.Stringer:
		return part.String() == text
	}
	return false
}

// find returns the nth node of the top layer for which ok holds, or nil if there is none.
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
