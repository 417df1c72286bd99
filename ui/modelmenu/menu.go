package modelmenu

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/config"
	"goated/internal/modelname"
	"goated/internal/models"
	"goated/internal/wording"
	"goated/ui/kit"
	"goated/ui/view/fuzzy"
)

// The sizes of the menu.
const (
	menuWidth    = 472
	rowHeight    = 44
	actionHeight = 36
	shownRows    = 7  // for each group while the user has typed nothing
	foundRows    = 12 // for each group while typed letters filter it
)

// A Menu lists the models that can answer. The arrow keys move the mark, Enter chooses, letters
// filter, and Escape closes the menu.
type Menu struct {
	*kit.Sheet
	o      Options
	groups []models.Group
	list   *fyne.Container
	foot   *kit.Label
	typed  string
	rows   []row
	at     int
}

// Options are the content and the callbacks of a menu. All functions are set.
type Options struct {
	Anchor     fyne.CanvasObject
	Groups     []models.Group
	Chosen     config.ModelRef
	Loading    bool   // more groups will follow; see [Menu.Add]
	Instructed bool   // the conversation has its own instructions
	Note       string // explains when the choice takes effect
	Key        kit.Shortcut

	OnChoose       func(models.Entry)
	OnInstructions func()
	OnAdd          func() // adds a service or a key
}

// A row is a line that the keyboard can reach.
type row struct {
	of  any // the [config.ModelRef] of its model, or the text of its action
	tap *kit.Tappable
	y   float32
	h   float32
}

// New returns the menu. The caller opens it, and closes it before it calls a function.
func New(o Options) *Menu {
	m := &Menu{o: o, groups: o.Groups, list: kit.Vertical(0), foot: kit.NewLabel("", 12, kit.ColorMuted).Elided()}
	catcher := newKeys(m.letter, m.key)
	caps := kit.NewKeyCaps(o.Key)
	foot := kit.Vertical(0, kit.NewLine(), kit.Inset(kit.Margin{Top: 9, Right: 16, Bottom: 9, Left: 18}, kit.Horizontal(8, m.foot, m.foot, caps)))
	m.Sheet = popover(o.Anchor, false, menuWidth, kit.Sized(1, 6, catcher), m.list, foot)
	m.First = catcher
	m.draw(true)
	return m
}

// Add replaces the groups by those found since then. The mark stays on its model or action.
func (m *Menu) Add(groups []models.Group, loading bool) {
	m.groups, m.o.Loading = groups, loading
	m.draw(false)
}

// letter adds a typed letter to the filter.
func (m *Menu) letter(r rune) {
	m.typed += string(r)
	m.draw(true)
}

func (m *Menu) key(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyDown:
		m.mark(m.at + 1)
	case fyne.KeyUp:
		m.mark(m.at - 1)
	case fyne.KeyPageDown:
		m.mark(min(m.at+6, len(m.rows)-1))
	case fyne.KeyPageUp:
		m.mark(max(m.at-6, 0))
	case fyne.KeyReturn, fyne.KeyEnter:
		if m.at < len(m.rows) {
			m.rows[m.at].tap.Tapped(nil)
		}
	case fyne.KeyBackspace:
		if letters := []rune(m.typed); len(letters) > 0 {
			m.typed = string(letters[:len(letters)-1])
			m.draw(true)
		}
	default:
		return false
	}
	return true
}

// draw builds the list again. If fresh is true or the marked row is gone, the mark moves to the
// chosen model, or to the first one that matches the letters.
func (m *Menu) draw(fresh bool) {
	var marked any
	if m.at < len(m.rows) {
		marked = m.rows[m.at].of
	}
	m.list.Objects, m.rows = nil, nil
	chosen, y := 0, float32(0)
	add := func(o fyne.CanvasObject, height float32) {
		m.list.Add(kit.Sized(1, height, o))
		y += height
	}
	heads := 0
	for _, g := range m.groups {
		entries, more := m.fitting(g)
		if len(entries) == 0 && (g.Err == nil || m.typed != "") {
			continue
		}
		if heads > 0 {
			add(kit.Inset(kit.Margin{Top: 4, Right: 12, Left: 12, Bottom: 4}, kit.NewLine()), 9)
		}
		add(heading(g.Title, heads == 0), 30)
		heads++
		if g.Err != nil {
			text := kit.NewLabel(wording.ErrorText(g.Err), 12, kit.ColorBad).Elided()
			add(kit.Inset(kit.Margin{Left: 40, Right: 18}, text), 24)
		}
		for _, e := range entries {
			if e.Ref == m.o.Chosen {
				chosen = len(m.rows)
			}
			tap := kit.NewTappable(8, func() { m.o.OnChoose(e) })
			tap.SkipTab = true
			m.rows = append(m.rows, row{e.Ref, tap, y, rowHeight})
			add(entryRow(tap, e, e.Ref == m.o.Chosen), rowHeight)
		}
		if more > 0 {
			add(kit.Inset(kit.Margin{Left: 40, Right: 18}, kit.NewLabel(fmt.Sprintf("%d more. Type to filter.", more), 12, kit.ColorFaint)), 28)
		}
	}
	if m.o.Loading && m.typed == "" {
		add(kit.Inset(kit.Margin{Left: 40, Right: 18}, kit.NewLabel("Looking for models on this computer…", 12, kit.ColorFaint)), 32)
	}
	if len(m.rows) == 0 {
		add(kit.Inset(kit.Margin{Left: 18, Right: 18}, kit.NewLabel("No model has these letters in its name.", 13, kit.ColorMuted)), 48)
	}
	if m.typed == "" {
		add(kit.Inset(kit.Margin{Top: 4, Right: 12, Left: 12, Bottom: 4}, kit.NewLine()), 9)
		badge := fyne.CanvasObject(kit.Sized(0, 0, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)))
		if m.o.Instructed {
			badge = pill("On in this conversation")
		}
		for _, a := range []struct {
			icon, text string
			beside     fyne.CanvasObject
			do         func()
		}{{"pencil", "Custom instructions…", badge, m.o.OnInstructions}, {"plus", "Add a model or a key…", kit.Sized(0, 0, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)), m.o.OnAdd}} {
			tap := kit.NewTappable(8, a.do)
			tap.SkipTab = true
			m.rows = append(m.rows, row{a.text, tap, y, actionHeight})
			label := kit.NewLabel(a.text, 13, kit.ColorText).Elided()
			add(container.New(kit.Margin{Left: 6, Right: 6}, tap, kit.Inset(kit.Margin{Left: 12, Right: 12}, kit.Horizontal(10, label, kit.NewIcon(a.icon, 15, kit.ColorMuted), label, a.beside))), actionHeight)
		}
	}
	add(kit.Sized(1, 6, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)), 6)
	m.foot.Set(m.o.Note)
	if m.typed != "" {
		m.foot.Set(fmt.Sprintf("Models with “%s”", m.typed))
		chosen = 0
	}
	if m.at = slices.IndexFunc(m.rows, func(r row) bool { return r.of == marked }); fresh || m.at < 0 {
		m.at = chosen
	}
	m.mark(m.at)
	m.list.Refresh()
	m.Refit()
}

// fitting returns the entries of a group that the menu shows, and the number of omitted entries.
func (m *Menu) fitting(g models.Group) (entries []models.Entry, more int) {
	most := shownRows
	if m.typed != "" {
		most = foundRows
	}
	for _, r := range fuzzy.Rank(m.typed, len(g.Entries), func(i int) (string, string) { return g.Entries[i].Title, g.Entries[i].Ref.Name }) {
		entries = append(entries, g.Entries[r.Index])
	}
	if len(entries) <= most {
		return entries, 0
	}
	shown := entries[:most]
	for _, e := range entries[most:] {
		if e.Ref == m.o.Chosen && m.typed == "" {
			shown = append(shown[:most-1:most-1], e)
		}
	}
	return shown, len(entries) - most
}

// mark moves the mark to a row, and scrolls to it. The mark wraps around.
func (m *Menu) mark(to int) {
	if len(m.rows) == 0 {
		return
	}
	m.at = (to + len(m.rows)) % len(m.rows)
	for i, r := range m.rows {
		if i == m.at {
			r.tap.SetColors(kit.ColorSelected, kit.ColorNone)
		} else {
			r.tap.SetColors(kit.ColorNone, kit.ColorNone)
		}
	}
	s, r := m.Body.Scroll, m.rows[m.at]
	switch {
	case r.y < s.Offset.Y:
		s.ScrollToOffset(fyne.NewPos(0, max(r.y-30, 0)))
	case s.Size().Height > 0 && r.y+r.h > s.Offset.Y+s.Size().Height:
		s.ScrollToOffset(fyne.NewPos(0, r.y+r.h+6-s.Size().Height))
	}
}

// heading returns the title of a group. The first heading also names the columns.
func heading(title string, columns bool) fyne.CanvasObject {
	name := kit.NewLabel(title, 12, kit.ColorMuted).Medium().Elided()
	context, price := kit.NewLabel("", 12, kit.ColorMuted), kit.NewLabel("", 12, kit.ColorMuted)
	if columns {
		context.Set("Context")
		price.Set("In / out per 1M")
	}
	context.Right, price.Right = true, true
	return container.New(columnsLayout{left: 18}, name, context, price)
}

// entryRow returns the row for a model.
func entryRow(tap *kit.Tappable, e models.Entry, chosen bool) fyne.CanvasObject {
	title := kit.NewLabel(e.Title, 13, kit.ColorText).Medium().Elided()
	words := kit.Vertical(0, title)
	if e.Note != "" {
		words.Add(kit.NewLabel(e.Note, 12, kit.ColorMuted).Elided())
	}
	context, price := kit.NewLabel(modelname.Tokens(e.Window), 13, kit.ColorText), kit.NewLabel(models.PriceText(e), 13, kit.ColorText)
	context.Right, price.Right = true, true
	line := container.New(columnsLayout{left: 40}, words, context, price)
	tick := kit.NewIcon("check", 15, kit.ColorAccent)
	tick.Hidden = !chosen
	mark := container.New(kit.Margin{Left: 16, Top: (rowHeight - 15) / 2, Bottom: (rowHeight - 15) / 2, Right: menuWidth - 31}, tick)
	return container.New(kit.Margin{}, container.New(kit.Margin{Left: 6, Right: 6}, tap), mark, line)
}

// columnsLayout places the name, the context and the price of a row.
type columnsLayout struct{ left float32 }

// The widths of the columns, and the space at the right.
const (
	priceWidth   = 116
	contextWidth = 56
	rightSpace   = 18
)

func (l columnsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	place := func(o fyne.CanvasObject, x, w float32) {
		h := kit.HeightOf(o, w)
		kit.Place(o, x, float32(int((size.Height-h)/2)), w, h)
	}
	price := size.Width - rightSpace - priceWidth
	context := price - 8 - contextWidth
	place(objects[0], l.left, max(context-8-l.left, 0))
	place(objects[1], context, contextWidth)
	place(objects[2], price, priceWidth)
}

func (l columnsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 20) }

// pill returns a word on a soft background.
func pill(text string) fyne.CanvasObject {
	return kit.Boxed(kit.NewPanel(kit.ColorSoft, kit.ColorNone, 10), kit.Margin{Top: 2, Right: 8, Bottom: 2, Left: 8}, kit.NewLabel(text, 12, kit.ColorAccent).Medium())
}

// Label returns the name of a model for the button that opens the menu.
func Label(ref config.ModelRef) string { return strings.TrimSpace(modelname.Title(ref)) }
