package screentest

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

// fieldOf returns the nth field with the hint name. If there is none, it returns the first
// field after the nth text that equals name, because a label stands above or before its field.
func (tr *tree) fieldOf(name string, nth int) *node {
	if n := tr.find(nth, func(n *node) bool { hint, ok := n.field(); return ok && hint == name }); n != nil {
		return n
	}
	labelled, found := 0, (*node)(nil)
	tr.visit(tr.layer(), true, func(n *node) bool {
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

func (tr *tree) mustField(name string, nth []int) *node {
	tr.T.Helper()
	n := tr.fieldOf(name, first(nth))
	if n == nil {
		tr.T.Fatalf("there is no field %q; the screen shows %q, and fields %q", name, tr.Texts(), tr.Fields())
	}
	return n
}

// Fields returns the hints of the fields of the top layer.
func (tr *tree) Fields() (all []string) {
	tr.visit(tr.layer(), true, func(n *node) bool {
		if hint, ok := n.field(); ok {
			all = append(all, hint)
		}
		return true
	})
	return all
}

// HasField reports whether there is a field with that hint or label.
func (rd *Reader) HasField(name string) bool { return rd.fieldOf(name, 0) != nil }

// Field returns the text in a field, which is named by its hint or its label.
func (rd *Reader) Field(name string, nth ...int) string {
	rd.T.Helper()
	text, _ := rd.mustField(name, nth).text()
	return text
}

// FieldFocused reports whether a field has the focus.
func (kb *Keyboard) FieldFocused(name string, nth ...int) bool {
	n := kb.fieldOf(name, first(nth))
	return n != nil && any(n.object) == any(kb.Canvas().Focused())
}

// Enter moves the focus to a field and replaces its text. It types a short text. It pastes all
// but the last characters of a longer text, because a field lays out its whole text after each
// character. It pastes a text of several lines, because Enter may submit the field.
func (kb *Keyboard) Enter(name, text string, nth ...int) {
	kb.T.Helper()
	kb.FocusField(name, nth...)
	kb.Ctrl(fyne.KeyA)
	kb.Key(fyne.KeyBackspace)
	if strings.Contains(text, "\n") || len(text) > 500 {
		kb.Insert(text)
		return
	}
	if len(text) > 16 {
		_, last := utf8.DecodeLastRuneInString(text)
		kb.Insert(text[:len(text)-last])
		text = text[len(text)-last:]
	}
	kb.Type(text)
}

// FocusField moves the focus to a field, like a click into it.
func (kb *Keyboard) FocusField(name string, nth ...int) {
	kb.T.Helper()
	n := kb.mustField(name, nth)
	kb.reach(n)
	kb.Canvas().Focus(n.object.(fyne.Focusable))
}

// PlaceOfField returns the position and the size of a field on the canvas, and whether any part
// of it is visible.
func (rd *Reader) PlaceOfField(name string, nth ...int) (at fyne.Position, size fyne.Size, seen bool) {
	rd.T.Helper()
	n := rd.mustField(name, nth)
	shown := n.box.within(n.clip)
	return n.box.at, n.box.size, shown.size.Width > 0 && shown.size.Height > 0
}

// CountFields returns the number of fields with that hint.
func (rd *Reader) CountFields(hint string) (n int) {
	for _, have := range rd.Fields() {
		if have == hint {
			n++
		}
	}
	return n
}
