package screentest

import (
	"strings"

	"fyne.io/fyne/v2"
)

// fieldOf is the nth field with that hint, or else the first field after the nth
// text that is name: its label stands over it or before it.
func (s *Screen) fieldOf(name string, nth int) *node {
	if n := s.find(nth, func(n *node) bool { hint, ok := n.field(); return ok && hint == name }); n != nil {
		return n
	}
	labelled, found := 0, (*node)(nil)
	s.visit(s.layer(), true, func(n *node) bool {
		if _, ok := n.field(); ok && labelled > nth {
			found = n
			return false
		}
		if is(name)(n) {
			labelled++
		}
		return true
	})
	return found
}

func (s *Screen) mustField(name string, nth []int) *node {
	s.T.Helper()
	n := s.fieldOf(name, first(nth))
	if n == nil {
		s.T.Fatalf("there is no field %q; the screen shows %q, and fields %q", name, s.Texts(), s.Fields())
	}
	return n
}

// Fields are the hints of the fields of the top layer.
func (s *Screen) Fields() (all []string) {
	s.visit(s.layer(), true, func(n *node) bool {
		if hint, ok := n.field(); ok {
			all = append(all, hint)
		}
		return true
	})
	return all
}

// HasField reports whether there is a field of that name.
func (s *Screen) HasField(name string) bool { return s.fieldOf(name, 0) != nil }

// Field is what is typed in a field, named by its hint or its label.
func (s *Screen) Field(name string, nth ...int) string {
	s.T.Helper()
	text, _ := s.mustField(name, nth).text()
	return text
}

// FieldFocused reports whether a field has the focus.
func (s *Screen) FieldFocused(name string, nth ...int) bool {
	n := s.fieldOf(name, first(nth))
	return n != nil && any(n.object) == any(s.Canvas().Focused())
}

// Enter moves the focus to a field and types text in place of what is there.
// Lines of a text are pasted, because Enter may submit the field.
func (s *Screen) Enter(name, text string, nth ...int) {
	s.T.Helper()
	s.FocusField(name, nth...)
	s.Ctrl(fyne.KeyA)
	s.Key(fyne.KeyBackspace)
	if strings.Contains(text, "\n") || len(text) > 500 {
		s.Paste(text)
		return
	}
	s.Type(text)
}

// FocusField moves the focus to a field, as a press into it does.
func (s *Screen) FocusField(name string, nth ...int) {
	s.T.Helper()
	n := s.mustField(name, nth)
	s.reach(n)
	s.Canvas().Focus(n.object.(fyne.Focusable))
}

// PlaceOfField is where a field lies on the canvas, and whether any part of it is
// in sight.
func (s *Screen) PlaceOfField(name string, nth ...int) (at fyne.Position, size fyne.Size, seen bool) {
	s.T.Helper()
	n := s.mustField(name, nth)
	shown := n.box.within(n.clip)
	return n.box.at, n.box.size, shown.size.Width > 0 && shown.size.Height > 0
}

// CountFields is how many fields have that hint.
func (s *Screen) CountFields(hint string) (n int) {
	for _, have := range s.Fields() {
		if have == hint {
			n++
		}
	}
	return n
}
