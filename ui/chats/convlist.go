package chats

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/virtual"
)

// A convHeading is the content of one row.
type convHeading struct {
	title   string
	preview string // the beginning of the last message or answer, without Markdown marks
	when    string // the age, for example "2h"; may be empty
	running bool
	unread  bool
	pinned  bool
	asks    bool // it has an open question
}

// The kinds of rows, and their heights.
const (
	rowOfDay          = iota // the name of a day
	rowOfConversation        // a conversation

	dayHeight = 32
	tabHeight = 50
)

// A convList is the list of conversations, grouped by day. Only the visible rows exist, so
// thousands of conversations cost no more than a screenful.
type convList struct {
	*virtual.VarList
	days []string                // the headings
	at   int                     // the shown conversation, counted from the bottom; -1: a page covers it
	stop int                     // the row that Tab focuses: the list is one tab stop, and arrow keys move within it
	conv *Conversation           // the shown conversation; its index changes when another one is used
	of   func(i int) convHeading // returns the data of a row; only called for visible rows

	OnSelect func(i int)
	OnMenu   func(i int, at fyne.Position) // secondary click; nil: there is no menu
}

func newConvList(c *kit.Clock) *convList {
	r := &convList{VarList: virtual.NewVarList(), at: -1}
	r.Make = func(kind int) (fyne.CanvasObject, any) {
		if kind == rowOfDay {
			name := kit.NewLabel("", 11, kit.ColorFaint).Medium().Elided()
			return kit.Inset(kit.Margin{Top: 13, Right: 12, Bottom: 3, Left: 12}, name), name
		}
		t := newConvRow(c)
		t.spot.OnTapped = func() {
			if r.OnSelect != nil {
				r.OnSelect(t.at)
			}
		}
		t.spot.OnStep = func(forward bool) bool { return r.step(t, forward) }
		if r.OnMenu != nil {
			t.spot.OnMenu = func(at fyne.Position) { r.OnMenu(t.at, at) }
		}
		return t.root, t
	}
	r.Bind = func(row virtual.VarRow, o any) {
		switch o := o.(type) {
		case *kit.Label:
			o.Set(r.days[row.At])
		case *convRow:
			o.set(row.At, r.of(row.At), row.At == r.at)
			o.spot.SkipTab = row.At != r.stop
		}
	}
	r.Free = func(o any) {
		if t, ok := o.(*convRow); ok {
			t.leave()
		}
	}
	r.Scroll.OnScrolled = func(fyne.Position) {
		r.Arrange(false)
		r.restop()
	}
	return r
}

// step moves the focus from a row to the next row below or above it.
func (l *convList) step(from *convRow, down bool) bool {
	by := -1
	if down {
		by = 1
	}
	i := slices.IndexFunc(l.Rows, func(row virtual.VarRow) bool { return row.Kind == rowOfConversation && row.At == from.at }) + by
	if i >= 0 && i < len(l.Rows) && l.Rows[i].Kind == rowOfDay {
		i += by
	}
	if i < 0 || i >= len(l.Rows) {
		return true
	}
	l.stop = l.Rows[i].At
	l.Reveal(i)
	to, ok := l.Bound[i].Row.(*convRow)
	if ok {
		to.spot.SkipTab = false
		kit.Focus(to.spot)
		from.spot.SkipTab = true
	}
	return ok
}

// restop makes the first visible row the tab stop if the previous tab stop was scrolled out of
// view.
func (l *convList) restop() {
	first := -1
	for i := range l.Bound {
		switch {
		case l.Rows[i].Kind != rowOfConversation:
		case l.Rows[i].At == l.stop:
			return
		case first < 0 || i < first:
			first = i
		}
	}
	if first >= 0 {
		l.stop = l.Rows[first].At
		l.Bound[first].Row.(*convRow).spot.SkipTab = false
	}
}

// list shows n conversations, with the last of them at the top. day returns the name of the day
// of each. list scrolls to shown, the selected conversation, only if another one was selected
// before. When a turn ends in the background, the indices change but the selection does not.
func (l *convList) list(n int, day func(i int) string, selected int, shown *Conversation) {
	moved := l.conv != shown
	l.conv = shown
	rows := l.Rows[:0]
	l.days = l.days[:0]
	mark := -1
	for i := n - 1; i >= 0; i-- {
		if name := day(i); len(l.days) == 0 || l.days[len(l.days)-1] != name {
			rows = append(rows, virtual.VarRow{Kind: rowOfDay, At: len(l.days), Height: dayHeight})
			l.days = append(l.days, name)
		}
		if i == selected {
			mark = len(rows)
		}
		rows = append(rows, virtual.VarRow{Kind: rowOfConversation, At: i, Height: tabHeight})
	}
	if moved || l.stop >= n {
		l.stop = selected
	}
	l.Show(rows)
	if moved {
		l.Reveal(mark)
	}
	l.restop()
}

// A convRow is one conversation in the sidebar.
type convRow struct {
	root    *fyne.Container
	spot    *kit.Tappable
	title   *kit.Label
	preview *kit.Label
	when    *kit.Label
	pin     *kit.Icon
	mark    *fyne.Container // shown if it is unread
	asks    *fyne.Container // shown if it has an open question
	spin    *kit.Spinner

	at       int
	shown    convHeading
	selected bool
}

func newConvRow(c *kit.Clock) *convRow {
	t := &convRow{
		spot: kit.NewTappable(9, nil), title: kit.NewLabel("", 13, kit.ColorMuted).Elided(), spin: kit.NewSpinner(c),
		preview: kit.NewLabel("", 12, kit.ColorFaint).Elided(),
		when:    kit.NewLabel("", 11, kit.ColorFaint), pin: kit.NewIcon("pin", 12, kit.ColorFaint),
		mark: kit.Sized(8, 8, kit.NewPanel(kit.ColorAccent, kit.ColorNone, 4)),
		at:   -1,
	}
	words := kit.NewLabel(Asks, 11, kit.ColorWarn).Medium()
	words.Centre = true
	t.asks = container.New(kit.Fixed{Min: fyne.NewSize(words.MinSize().Width+14, 18)}, kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 9), words)
	top := kit.Horizontal(6, t.title, t.title, t.pin, t.when, t.mark, t.asks, t.spin)
	lines := kit.Vertical(2, container.New(kit.Fixed{Min: fyne.NewSize(1, 18)}, top), t.preview)
	inner := kit.Inset(kit.Margin{Top: 0, Right: 10, Bottom: 0, Left: 12}, kit.Horizontal(0, lines, lines))
	t.root = kit.Inset(kit.Margin{Top: 1, Right: 0, Bottom: 1, Left: 0}, container.New(kit.Margin{}, t.spot, inner))
	return t
}

func (t *convRow) set(at int, h convHeading, selected bool) {
	if t.at == at && t.shown == h && t.selected == selected {
		return
	}
	t.at, t.shown, t.selected = at, h, selected
	t.title.Set(h.title)
	t.preview.Set(h.preview)
	t.preview.Hidden = h.preview == "" || h.preview == h.title // the title is the only text so far
	t.spin.SetRunning(h.running)
	t.asks.Hidden = !h.asks
	t.when.Set(h.when)
	t.when.Hidden = h.when == "" || h.running || h.asks
	t.pin.Hidden = !h.pinned
	t.mark.Hidden = !h.unread || h.running || h.asks
	if t.title.Style.Bold != h.unread {
		t.title.Style.Bold = h.unread
		t.title.Refresh()
	}
	if selected {
		t.spot.SetColors(kit.ColorSelected, kit.ColorNone)
		t.title.Paint(kit.ColorText)
	} else {
		t.spot.SetColors(kit.ColorNone, kit.ColorNone)
		t.title.Paint(kit.ColorMuted)
	}
	if s := t.root.Size(); s.Width > 0 {
		t.root.Layout.Layout(t.root.Objects, s)
	}
}

// leave stops the animation of a row that is no longer visible.
func (t *convRow) leave() {
	t.spin.SetRunning(false)
	t.at = -1
}
