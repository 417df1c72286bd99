package atspi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
	"goated/servers/desktop/element"
)

// Written text is read back. A field that holds another text afterwards is an error.
func TestWrittenTextIsReadBack(t *testing.T) {
	b := connect(t, atspi.Options{})
	f := newForm("writing")
	snap, err := b.Snapshot(t.Context(), serve(t, b, f.App))
	if err != nil {
		t.Fatal(err)
	}
	_, comment := one(t, b, snap, "Comment")
	e, err := b.Write(t.Context(), comment, atspi.Expect{Role: "text"}, "naïve 日本語 🙂")
	var kept string
	f.Lock(func() { kept = f.items[3].Text })
	if err != nil || e.Text != "naïve 日本語 🙂" || kept != e.Text {
		t.Errorf("%+v, %v", e, err)
	}
	_, fixed := one(t, b, snap, "Fixed")
	var not *atspi.NotWrittenError
	if _, err := b.Write(t.Context(), fixed, atspi.Expect{}, "new"); !errors.As(err, &not) || not.Have != "" {
		t.Errorf("a field that keeps its text: %v", err)
	}
	// The editor of a table's cell closes when its text has been read back. It used to be reported as gone, so
	// the model wrote again. If it closes before, the error says that the text may be there.
	answers := 0 // until the element closes
	f.Lock(func() {
		item := f.App.Item
		f.App.Item = func(id int) atspitest.Item {
			i := item(id)
			if id == 3 && answers > 0 {
				answers--
				f.items[3].Gone = answers == 0
			}
			return i
		}
	})
	closes := func(after int) (*element.Element, error) {
		f.Lock(func() {
			f.items[3].Gone = false
			f.App.Write = func(id int, s string) bool { f.items[id].Text, answers = s, after; return true }
		})
		return b.Write(t.Context(), comment, atspi.Expect{}, "in a cell")
	}
	if e, err := closes(2); err != nil || e.Text != "in a cell" || e.ID == "" { // 2 calls read the text
		t.Errorf("an element that closes: %+v, %v", e, err)
	}
	var gone *atspi.GoneError
	if _, err := closes(1); !errors.As(err, &gone) || !strings.Contains(err.Error(), "look before you write again") {
		t.Errorf("an element that closes at once: %v", err)
	}
}

// Writing a number into a spin button changes its value. GTK used to show the text only, and take it for the
// value when the focus left, so that the application still used the old value.
func TestWritingANumberChangesTheValue(t *testing.T) {
	b := connect(t, atspi.Options{})
	f := newForm("copies")
	f.items[3].Role, f.items[3].Value, f.items[3].Text = uint32(atspi.RoleSpinButton), 80.5, "80,5"
	f.items[3].Interfaces = append(f.items[3].Interfaces, "Value")
	f.App.Set = func(id int, v float64) { f.items[id].Value, f.items[id].Text = v, fmt.Sprint(v) }
	snap, err := b.Snapshot(t.Context(), serve(t, b, f.App))
	if err != nil {
		t.Fatal(err)
	}
	_, copies := one(t, b, snap, "role:spinbutton")
	old, ok, err := b.Content(t.Context(), copies)
	if err != nil || !ok || old != "80.5" {
		t.Errorf("it holds %q, %t, %v", old, ok, err)
	}
	for _, want := range []float64{7, 80.5} {
		e, err := b.Write(t.Context(), copies, atspi.Expect{}, fmt.Sprint(want))
		f.Lock(func() {
			if err != nil || e.Text != fmt.Sprint(want) || f.items[3].Value != want {
				t.Errorf("it holds %v after %v was written: %v, %v", f.items[3].Value, want, e, err)
			}
		})
	}
}

// Content returns the whole text of an element, and never its name instead. A tree marks a text that it cuts.
func TestContentIsWholeAndNoName(t *testing.T) {
	b := connect(t, atspi.Options{})
	f := newForm("contents")
	long := strings.Repeat("ä", 5000)
	f.items[5].Text = long
	snap, err := b.Snapshot(t.Context(), serve(t, b, f.App))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		text string
		ok   bool
	}{"Comment": {"", true}, "Fixed": {long, true}, "Send": {"", false}} {
		e, target := one(t, b, snap, name)
		if name == "Fixed" {
			const mark = "… [4096 of 5000 characters]" // it used to end without a mark
			if cut := e.Text; cut != long[:2*4096]+mark || atspi.Whole(t.Context(), b, target, e).Text != long {
				t.Errorf("in the tree it ends %q", cut[len(cut)-50:])
			}
		}
		if text, ok, err := b.Content(t.Context(), target); text != want.text || ok != want.ok || err != nil {
			t.Errorf("%s: %d bytes, %t, %v", name, len(text), ok, err)
		}
	}
}
