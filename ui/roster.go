package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A heading is what the list shows of one conversation.
type heading struct {
	title   string
	preview string // the beginning of what was said last
	when    string // how long ago, such as "2h"; may be empty
	running bool
	unread  bool
	pinned  bool
}

// The kinds of rows of a roster, and how high they are.
const (
	rosterDay = iota // the name of a day
	rosterTab        // a conversation

	dayHeight = 32
	tabHeight = 50
)

// A roster is the list of the conversations, by day. Only what is in sight
// exists of it, so that thousands cost no more than a screenful.
type roster struct {
	*rack
	days []string            // that are named in it
	at   int                 // the conversation that is shown, from below
	of   func(i int) heading // what the list says of one; asked only of those in sight

	OnSelect func(i int)
	OnMenu   func(i int, at fyne.Position) // the other button of the mouse; nil: none
}

func newRoster(c *clock) *roster {
	r := &roster{rack: newRack(), at: -1}
	r.make = func(kind int) (fyne.CanvasObject, any) {
		if kind == rosterDay {
			name := newLabel("", 11, colorFaint).medium().elided()
			return inset(margin{13, 12, 3, 12}, name), name
		}
		t := newTab(c)
		t.spot.OnTapped = func() {
			if r.OnSelect != nil {
				r.OnSelect(t.at)
			}
		}
		if r.OnMenu != nil {
			t.spot.OnMenu = func(at fyne.Position) { r.OnMenu(t.at, at) }
		}
		return t.root, t
	}
	r.bind = func(row rackRow, o any) {
		switch o := o.(type) {
		case *label:
			o.set(r.days[row.at])
		case *tab:
			o.set(row.at, r.of(row.at), row.at == r.at)
		}
	}
	r.free = func(o any) {
		if t, ok := o.(*tab); ok {
			t.leave()
		}
	}
	return r
}

// list shows n conversations, the last of them on top. day names the day of each.
func (r *roster) list(n int, day func(i int) string, selected int) {
	moved := r.at != selected
	r.at = selected
	rows := r.rows[:0]
	r.days = r.days[:0]
	mark := -1
	for i := n - 1; i >= 0; i-- {
		if name := day(i); len(r.days) == 0 || r.days[len(r.days)-1] != name {
			rows = append(rows, rackRow{rosterDay, len(r.days), dayHeight})
			r.days = append(r.days, name)
		}
		if i == selected {
			mark = len(rows)
		}
		rows = append(rows, rackRow{rosterTab, i, tabHeight})
	}
	r.show(rows)
	if moved {
		r.reveal(mark)
	}
}

// A tab is one conversation in the sidebar.
type tab struct {
	root    *fyne.Container
	spot    *hotspot
	title   *label
	preview *label
	when    *label
	pin     *glyph
	mark    *fyne.Container // it is unread
	spin    *spinner

	at       int
	shown    heading
	selected bool
}

func newTab(c *clock) *tab {
	t := &tab{
		spot: newHotspot(9, nil), title: newLabel("", 13, colorMuted).elided(), spin: newSpinner(c),
		preview: newLabel("", 11, colorFaint).elided(),
		when:    newLabel("", 11, colorFaint), pin: newGlyph("pin", 12, colorFaint),
		mark: sized(8, 8, newPanel(colorAccent, colorNone, 4)),
		at:   -1,
	}
	top := horizontal(6, t.title, t.title, t.pin, t.when, t.mark, t.spin)
	words := vertical(2, container.New(fixed{fyne.NewSize(1, 18)}, top), t.preview)
	inner := inset(margin{0, 10, 0, 12}, horizontal(0, words, words))
	t.root = inset(margin{1, 0, 1, 0}, container.New(margin{}, t.spot, inner))
	return t
}

func (t *tab) set(at int, h heading, selected bool) {
	if t.at == at && t.shown == h && t.selected == selected {
		return
	}
	t.at, t.shown, t.selected = at, h, selected
	t.title.set(h.title)
	preview := bareLine(h.preview)
	t.preview.set(preview)
	t.preview.Hidden = preview == "" || preview == h.title // nothing was answered yet
	t.spin.turn(h.running)
	t.when.set(h.when)
	t.when.Hidden = h.when == "" || h.running
	t.pin.Hidden = !h.pinned
	t.mark.Hidden = !h.unread || h.running
	if t.title.style.Bold != h.unread {
		t.title.style.Bold = h.unread
		t.title.Refresh()
	}
	if selected {
		t.spot.rest(colorSelected, colorNone)
		t.title.paint(colorText)
	} else {
		t.spot.rest(colorNone, colorNone)
		t.title.paint(colorMuted)
	}
	if s := t.root.Size(); s.Width > 0 {
		t.root.Layout.Layout(t.root.Objects, s)
	}
}

// leave stops what moves: the row is out of sight.
func (t *tab) leave() {
	t.spin.turn(false)
	t.at = -1
}

// bareLine is a line of Markdown without the marks that would be in the way of
// reading it small.
func bareLine(text string) string {
	if !strings.ContainsAny(text, "*`#_|>") {
		return text
	}
	text = strings.NewReplacer("**", "", "__", "", "`", "", "|", " ").Replace(text)
	return strings.Join(strings.Fields(strings.TrimLeft(text, "#>*- ")), " ")
}
