package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// A heading is the data of one row.
type heading struct {
	title   string
	preview string // the beginning of the last message or answer
	when    string // how long ago, such as "2h"; may be empty
	running bool
	unread  bool
	pinned  bool
}

// The kinds of rows, and their heights.
const (
	rosterDay = iota // the name of a day
	rosterTab        // a conversation

	dayHeight = 32
	tabHeight = 50
)

// A roster is the list of the conversations, by day. Only the visible rows exist,
// so thousands cost no more than a screenful.
type roster struct {
	*kit.VarList
	days []string            // the headings
	at   int                 // the shown conversation, from below
	of   func(i int) heading // the data of a row; called for visible rows only

	OnSelect func(i int)
	OnMenu   func(i int, at fyne.Position) // secondary click; nil: no menu
}

func newRoster(c *kit.Clock) *roster {
	r := &roster{VarList: kit.NewVarList(), at: -1}
	r.Make = func(kind int) (fyne.CanvasObject, any) {
		if kind == rosterDay {
			name := kit.NewLabel("", 11, kit.ColorFaint).Medium().Elided()
			return kit.Inset(kit.Margin{Top: 13, Right: 12, Bottom: 3, Left: 12}, name), name
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
	r.Bind = func(row kit.VarRow, o any) {
		switch o := o.(type) {
		case *kit.Label:
			o.Set(r.days[row.At])
		case *tab:
			o.set(row.At, r.of(row.At), row.At == r.at)
		}
	}
	r.Free = func(o any) {
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
	rows := r.Rows[:0]
	r.days = r.days[:0]
	mark := -1
	for i := n - 1; i >= 0; i-- {
		if name := day(i); len(r.days) == 0 || r.days[len(r.days)-1] != name {
			rows = append(rows, kit.VarRow{Kind: rosterDay, At: len(r.days), Height: dayHeight})
			r.days = append(r.days, name)
		}
		if i == selected {
			mark = len(rows)
		}
		rows = append(rows, kit.VarRow{Kind: rosterTab, At: i, Height: tabHeight})
	}
	r.Show(rows)
	if moved {
		r.Reveal(mark)
	}
}

// A tab is one conversation in the sidebar.
type tab struct {
	root    *fyne.Container
	spot    *kit.Tappable
	title   *kit.Label
	preview *kit.Label
	when    *kit.Label
	pin     *kit.Icon
	mark    *fyne.Container // it is unread
	spin    *kit.Spinner

	at       int
	shown    heading
	selected bool
}

func newTab(c *kit.Clock) *tab {
	t := &tab{
		spot: kit.NewTappable(9, nil), title: kit.NewLabel("", 13, kit.ColorMuted).Elided(), spin: kit.NewSpinner(c),
		preview: kit.NewLabel("", 11, kit.ColorFaint).Elided(),
		when:    kit.NewLabel("", 11, kit.ColorFaint), pin: kit.NewIcon("pin", 12, kit.ColorFaint),
		mark: kit.Sized(8, 8, kit.NewPanel(kit.ColorAccent, kit.ColorNone, 4)),
		at:   -1,
	}
	top := kit.Horizontal(6, t.title, t.title, t.pin, t.when, t.mark, t.spin)
	words := kit.Vertical(2, container.New(kit.Fixed{Least: fyne.NewSize(1, 18)}, top), t.preview)
	inner := kit.Inset(kit.Margin{Top: 0, Right: 10, Bottom: 0, Left: 12}, kit.Horizontal(0, words, words))
	t.root = kit.Inset(kit.Margin{Top: 1, Right: 0, Bottom: 1, Left: 0}, container.New(kit.Margin{}, t.spot, inner))
	return t
}

func (t *tab) set(at int, h heading, selected bool) {
	if t.at == at && t.shown == h && t.selected == selected {
		return
	}
	t.at, t.shown, t.selected = at, h, selected
	t.title.Set(h.title)
	preview := bareLine(h.preview)
	t.preview.Set(preview)
	t.preview.Hidden = preview == "" || preview == h.title // there is no answer yet
	t.spin.Turn(h.running)
	t.when.Set(h.when)
	t.when.Hidden = h.when == "" || h.running
	t.pin.Hidden = !h.pinned
	t.mark.Hidden = !h.unread || h.running
	if t.title.Style.Bold != h.unread {
		t.title.Style.Bold = h.unread
		t.title.Refresh()
	}
	if selected {
		t.spot.Rest(kit.ColorSelected, kit.ColorNone)
		t.title.Paint(kit.ColorText)
	} else {
		t.spot.Rest(kit.ColorNone, kit.ColorNone)
		t.title.Paint(kit.ColorMuted)
	}
	if s := t.root.Size(); s.Width > 0 {
		t.root.Layout.Layout(t.root.Objects, s)
	}
}

// leave stops the animation of a row that is out of sight.
func (t *tab) leave() {
	t.spin.Turn(false)
	t.at = -1
}

// bareLine is a line of Markdown without its marks.
func bareLine(text string) string {
	if !strings.ContainsAny(text, "*`#_|>") {
		return text
	}
	text = strings.NewReplacer("**", "", "__", "", "`", "", "|", " ").Replace(text)
	return strings.Join(strings.Fields(strings.TrimLeft(text, "#>*- ")), " ")
}
