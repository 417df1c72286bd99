package screentest

import (
	"cmp"
	"image"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Texts returns the texts of the top layer in drawing order, including those that are scrolled
// out of sight. For a field it returns the text typed into it.
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

// Reads reports whether a text of the top layer equals text.
func (rd *Reader) Reads(text string) bool { return slices.Contains(rd.Texts(), text) }

// Count returns how many texts of the top layer equal text.
func (rd *Reader) Count(text string) (n int) {
	for _, have := range rd.Texts() {
		if have == text {
			n++
		}
	}
	return n
}

// Says reports whether a text of the top layer contains part.
func (rd *Reader) Says(part string) bool { return rd.Find(part) != "" }

// Find returns the first text of the top layer that contains part, or "" if there is none.
func (rd *Reader) Find(part string) string {
	for _, have := range rd.Texts() {
		if strings.Contains(have, part) {
			return have
		}
	}
	return ""
}

// After returns the text after text in the top layer, or "" if there is none.
func (rd *Reader) After(text string) string {
	all := rd.Texts()
	if i := slices.Index(all, text); i >= 0 && i+1 < len(all) {
		return all[i+1]
	}
	return ""
}

// Region returns the texts of the page that begin in an area of the window, from the top.
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

// Above returns the texts in an area of the page that are drawn before a field, from the top.
// This excludes what floats over the page, which is drawn later.
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

// Place returns the position and the size of the nth text that equals text, and whether any
// part of it is visible.
func (rd *Reader) Place(text string, nth ...int) (at fyne.Position, size fyne.Size, seen bool) {
	n := rd.find(first(nth), is(text))
	if n == nil {
		return at, size, false
	}
	shown := n.box.within(n.clip)
	return n.box.at, n.box.size, shown.size.Width > 0 && shown.size.Height > 0
}

// PlaceOfIcon is like Place for the nth icon with that name.
func (rd *Reader) PlaceOfIcon(name string, nth ...int) (at fyne.Position) {
	if n := rd.find(first(nth), func(n *node) bool { return iconOf(n) == name }); n != nil {
		at = n.box.at
	}
	return at
}

// Icons returns how many icons with that name the top layer shows.
func (rd *Reader) Icons(name string) int { return rd.icons(rd.layer(), name) }

// PageIcons returns how many icons with that name the page shows, even while an overlay covers
// it.
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

// Pictures returns how many images the top layer shows, not counting icons.
func (rd *Reader) Pictures() (n int) {
	rd.visit(rd.layer(), true, func(have *node) bool {
		if i, ok := have.object.(*canvas.Image); ok && i.Image != nil {
			n++
		}
		return true
	})
	return n
}

// Layers returns the number of overlays above the page.
func (rd *Reader) Layers() int { return len(rd.Canvas().Overlays().List()) }

// Picture returns a picture of the window.
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
