package screentest

import (
	"cmp"
	"image"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Texts returns the texts of the top layer in the order in which they are drawn,
// also those that must be scrolled to. A field gives what is typed in it.
func (tr *tree) Texts() []string { return tr.texts(tr.layer()) }

func (tr *tree) texts(root fyne.CanvasObject) (all []string) {
	tr.visit(root, true, func(n *node) bool {
		if text, ok := n.text(); ok {
			all = append(all, text)
		}
		return true
	})
	return all
}

// Reads reports whether a text of the top layer is text.
func (rd *Reader) Reads(text string) bool { return slices.Contains(rd.Texts(), text) }

// Count returns how many texts of the top layer are text.
func (rd *Reader) Count(text string) (n int) {
	for _, have := range rd.Texts() {
		if have == text {
			n++
		}
	}
	return n
}

// Says reports whether a text of the top layer has part in it.
func (rd *Reader) Says(part string) bool { return rd.Find(part) != "" }

// Find returns the first text of the top layer that has part in it; empty if none has.
func (rd *Reader) Find(part string) string {
	for _, have := range rd.Texts() {
		if strings.Contains(have, part) {
			return have
		}
	}
	return ""
}

// After returns the text that follows text on the top layer; empty if none does.
func (rd *Reader) After(text string) string {
	all := rd.Texts()
	if i := slices.Index(all, text); i >= 0 && i+1 < len(all) {
		return all[i+1]
	}
	return ""
}

// Region returns the texts of the page that begin in a part of the window, from the
// top.
func (rd *Reader) Region(x, y, width, height float32) (all []string) {
	region := box{fyne.NewPos(x, y), fyne.NewSize(width, height)}
	var found []*node
	rd.visit(rd.Canvas().Content(), true, func(n *node) bool {
		if _, ok := n.text(); ok && region.holds(n.box.at) {
			found = append(found, n)
		}
		return true
	})
	return fromTop(found)
}

func fromTop(nodes []*node) (all []string) {
	slices.SortStableFunc(nodes, func(a, b *node) int { return cmp.Compare(a.box.at.Y, b.box.at.Y) })
	for _, n := range nodes {
		text, _ := n.text()
		all = append(all, text)
	}
	return all
}

// Above returns the texts of a part of the page that are drawn before a field, from
// the top. What floats over the page is drawn later.
func (rd *Reader) Above(field string, x, y, width, height float32) (all []string) {
	region := box{fyne.NewPos(x, y), fyne.NewSize(width, height)}
	var found []*node
	rd.visit(rd.Canvas().Content(), true, func(n *node) bool {
		if hint, ok := n.field(); ok && hint == field {
			return false
		}
		if _, ok := n.text(); ok && region.holds(n.box.at) {
			found = append(found, n)
		}
		return true
	})
	return fromTop(found)
}

// Place returns where the nth text that is text is on the canvas, and whether any
// part of it is in sight.
func (rd *Reader) Place(text string, nth ...int) (at fyne.Position, size fyne.Size, seen bool) {
	n := rd.find(first(nth), is(text))
	if n == nil {
		return at, size, false
	}
	shown := n.box.within(n.clip)
	return n.box.at, n.box.size, shown.size.Width > 0 && shown.size.Height > 0
}

// PlaceOfIcon is Place for the nth icon of that name.
func (rd *Reader) PlaceOfIcon(name string, nth ...int) (at fyne.Position) {
	if n := rd.find(first(nth), func(n *node) bool { return iconOf(n) == name }); n != nil {
		at = n.box.at
	}
	return at
}

// Icons returns how many icons of that name the top layer shows.
func (rd *Reader) Icons(name string) int { return rd.icons(rd.layer(), name) }

// PageIcons returns how many icons of that name the page shows, also while a layer
// covers it.
func (rd *Reader) PageIcons(name string) int { return rd.icons(rd.Canvas().Content(), name) }

func (tr *tree) icons(root fyne.CanvasObject, name string) (n int) {
	tr.visit(root, true, func(have *node) bool {
		if iconOf(have) == name {
			n++
		}
		return true
	})
	return n
}

// Pictures returns how many images the top layer shows, icons not counted.
func (rd *Reader) Pictures() (n int) {
	rd.visit(rd.layer(), true, func(have *node) bool {
		if i, ok := have.object.(*canvas.Image); ok && i.Image != nil {
			n++
		}
		return true
	})
	return n
}

// Layers returns how many layers lie over the page.
func (rd *Reader) Layers() int { return len(rd.Canvas().Overlays().List()) }

// Picture returns what the window looks like.
func (rd *Reader) Picture() image.Image { return paint(rd.Canvas()) }

func is(text string) func(*node) bool {
	return func(n *node) bool {
		have, ok := n.text()
		return ok && have == text
	}
}

func iconOf(n *node) string {
	if i, ok := n.object.(interface{ Icon() string }); ok {
		return i.Icon()
	}
	return ""
}

func first(nth []int) int {
	if len(nth) > 0 {
		return nth[0]
	}
	return 0
}
