package screentest

import (
	"fmt"
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
)

// Misfits returns the texts of the top layer that do not fit into their place, each with the
// reason. Either the text needs more room than it has, or a part of the window cuts it off at
// its side. The text in a field may be longer than the field is wide.
func (ck *Checker) Misfits() (all []string) {
	wide := ck.Canvas().Size().Width
	ck.visit(ck.layer(), false, func(n *node) bool {
		o, is := n.object.(fyne.Widget)
		text, says := n.text()
		if !is || !says || inField(n) || n.box.size.IsZero() {
			return true
		}
		need, left, right := room(o), n.box.at.X, n.box.at.X+n.box.size.Width
		if need.Width > n.box.size.Width+1 || need.Height > n.box.size.Height+1 {
			all = append(all, fmt.Sprintf("%q needs %v and has %v", text, need, n.box.size))
		} else if left < -1 || right > wide+1 {
			all = append(all, fmt.Sprintf("%q is from %g to %g in a window of %g", text, left, right, wide))
		} else if part := cutBy(n); part != nil {
			all = append(all, fmt.Sprintf("%q is from %g to %g in a part from %g to %g", text, left, right, part.box.at.X, part.box.at.X+part.box.size.Width))
		}
		return true
	})
	return all
}

// LongHints returns the hints in the top layer that are wider than their fields.
func (ck *Checker) LongHints() (all []string) {
	ck.visit(ck.layer(), false, func(n *node) bool {
		f, ok := n.object.(interface {
			Hint() string
			HintWidth() float32
		})
		if ok && !n.box.size.IsZero() && f.HintWidth() > n.box.size.Width+1 {
			all = append(all, fmt.Sprintf("the hint %q needs %g and has %g", f.Hint(), f.HintWidth(), n.box.size.Width))
		}
		return true
	})
	return all
}

// inField reports whether a node is a field or part of one.
func inField(n *node) bool {
	for up := n; up != nil; up = up.up {
		if _, ok := up.field(); ok {
			return true
		}
	}
	return false
}

// room returns the size that a widget needs for its text.
func room(o fyne.Widget) fyne.Size {
	if text, ok := o.(interface{ HeightFor(width float32) float32 }); ok { // it wraps its text
		return fyne.NewSize(80, text.HeightFor(o.Size().Width))
	}
	if _, button := o.(fyne.Tappable); button {
		return o.MinSize().SubtractWidthHeight(0, 2) // the rows of the sidebar are a little lower than their minimum
	}
	return fyne.NewSize(o.MinSize().Width, 0)
}

// cutBy returns the part of the window that cuts a node off at its side, or nil if there is
// none. A part that scrolls horizontally does not cut anything off.
func cutBy(n *node) *node {
	for up := n.up; up != nil; up = up.up {
		s := scrollerOf(up.object)
		if s != nil && s.Direction == container.ScrollVerticalOnly &&
			(n.box.at.X < up.box.at.X-1 || n.box.at.X+n.box.size.Width > up.box.at.X+up.box.size.Width+1) {
			return up
		}
	}
	return nil
}

// BetweenPixels returns the texts of the top layer that begin between two pixels of their
// container, and the total number of texts.
func (ck *Checker) BetweenPixels() (all []string, texts int) {
	ck.visit(ck.layer(), false, func(n *node) bool {
		t, ok := n.object.(*canvas.Text)
		if !ok || t.Text == "" {
			return true
		}
		texts++
		if at := t.Position(); !whole(at.X) || !whole(at.Y) {
			all = append(all, fmt.Sprintf("%q begins at %v", t.Text, at))
		}
		return true
	})
	return all, texts
}

func whole(x float32) bool { return math.Abs(float64(x)-math.Round(float64(x))) < 0.02 }

// BlankIcons returns the icons of the top layer whose images are empty.
func (ck *Checker) BlankIcons() (all []string) {
	ck.visit(ck.layer(), false, func(n *node) bool {
		r, ok := n.object.(*canvas.Raster)
		if !ok || n.up == nil {
			return true
		}
		if name := iconOf(n.up); name != "" && blank(r.Generator(16, 16)) {
			all = append(all, name)
		}
		return true
	})
	return all
}

func blank(img image.Image) bool {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if visible(img.At(x, y)) {
				return false
			}
		}
	}
	return true
}
