package screentest

import (
	"cmp"
	"image"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Texts are the texts of the top layer in the order in which they are drawn,
// also those that must be scrolled to. A field gives what is typed in it.
func (s *Screen) Texts() []string { return s.texts(s.layer()) }

// PageTexts are the texts of the page, also while a layer covers it.
func (s *Screen) PageTexts() []string { return s.texts(s.Canvas().Content()) }

func (s *Screen) texts(root fyne.CanvasObject) (all []string) {
	s.visit(root, true, func(n *node) bool {
		if text, ok := n.text(); ok {
			all = append(all, text)
		}
		return true
	})
	return all
}

// Reads reports whether a text of the top layer is text.
func (s *Screen) Reads(text string) bool { return slices.Contains(s.Texts(), text) }

// Count is how many texts of the top layer are text.
func (s *Screen) Count(text string) (n int) {
	for _, have := range s.Texts() {
		if have == text {
			n++
		}
	}
	return n
}

// Says reports whether a text of the top layer has part in it.
func (s *Screen) Says(part string) bool { return s.Find(part) != "" }

// Find is the first text of the top layer that has part in it; empty if none has.
func (s *Screen) Find(part string) string {
	for _, have := range s.Texts() {
		if strings.Contains(have, part) {
			return have
		}
	}
	return ""
}

// After is the text that follows text on the top layer; empty if none does.
func (s *Screen) After(text string) string {
	all := s.Texts()
	if i := slices.Index(all, text); i >= 0 && i+1 < len(all) {
		return all[i+1]
	}
	return ""
}

// Region are the texts of the page that begin in a part of the window, from the
// top.
func (s *Screen) Region(x, y, width, height float32) (all []string) {
	region := box{fyne.NewPos(x, y), fyne.NewSize(width, height)}
	var found []*node
	s.visit(s.Canvas().Content(), true, func(n *node) bool {
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

// Above are the texts of a part of the page that are drawn before a field, from
// the top. What floats over the page is drawn later.
func (s *Screen) Above(field string, x, y, width, height float32) (all []string) {
	region := box{fyne.NewPos(x, y), fyne.NewSize(width, height)}
	var found []*node
	s.visit(s.Canvas().Content(), true, func(n *node) bool {
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

// Place is where the nth text that is text lies on the canvas, and whether any
// part of it is in sight.
func (s *Screen) Place(text string, nth ...int) (at fyne.Position, size fyne.Size, seen bool) {
	n := s.find(first(nth), is(text))
	if n == nil {
		return at, size, false
	}
	shown := n.box.within(n.clip)
	return n.box.at, n.box.size, shown.size.Width > 0 && shown.size.Height > 0
}

// Icons is how many icons of that name the top layer shows.
func (s *Screen) Icons(name string) int { return s.icons(s.layer(), name) }

// PageIcons is how many icons of that name the page shows, also while a layer
// covers it.
func (s *Screen) PageIcons(name string) int { return s.icons(s.Canvas().Content(), name) }

func (s *Screen) icons(root fyne.CanvasObject, name string) (n int) {
	s.visit(root, true, func(have *node) bool {
		if iconOf(have) == name {
			n++
		}
		return true
	})
	return n
}

// Pictures is how many images the top layer shows, icons not counted.
func (s *Screen) Pictures() (n int) {
	s.visit(s.layer(), true, func(have *node) bool {
		if i, ok := have.object.(*canvas.Image); ok && i.Image != nil {
			n++
		}
		return true
	})
	return n
}

// Layers is how many layers lie over the page.
func (s *Screen) Layers() int { return len(s.Canvas().Overlays().List()) }

// Picture is what the window looks like.
func (s *Screen) Picture() image.Image { return s.Canvas().Capture() }

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
