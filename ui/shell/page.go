package shell

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// A Page fills the area beside the sidebar, instead of the conversation. The window draws its
// header. A Page belongs to the UI goroutine.
type Page struct {
	Title   string
	Note    *kit.Label          // beside the title; nil: no note
	Actions []fyne.CanvasObject // at the right of the header, or below the title in a narrow window
	Body    fyne.CanvasObject   // below the header; it gets all remaining space
	First   fyne.Focusable      // gets the focus when the page opens, and when a sheet above it closes; may be nil
	Nav     *kit.Button         // the page's button in the sidebar, selected while the page is open; may be nil

	// OnKey and OnRune receive the keys and characters that the focused widget does not handle.
	// They report whether they handled them. OnFind runs on Ctrl+F. Each may be nil.
	OnKey   func(*fyne.KeyEvent) bool
	OnRune  func(rune) bool
	OnFind  func()
	OnClose func() // runs after the page closed; may be nil

	Area *fyne.Container // contains the header and the body; the code that draws the page sets it
	laid []float32       // the widths of the actions in the header
}

// noteRoom is the minimal width for the title and the note beside the actions.
const noteRoom = 300

// Header draws the title with the note and the actions. before comes before the title. In a
// narrow window the actions go below the title, so the result has a [kit.TallLayout].
func (p *Page) Header(before ...fyne.CanvasObject) *fyne.Container {
	note := p.Note
	if note == nil {
		note = kit.NewLabel("", 13, kit.ColorMuted)
	}
	note = note.Elided()
	title := kit.Horizontal(8, note, append(before, kit.NewLabel(p.Title, 15, kit.ColorText).Strong(), note)...)
	row := kit.SideBySide{Gap: 8, Least: noteRoom, Right: true}
	p.laid = nil
	return kit.Inset(kit.Margin{Top: 9, Right: 20, Bottom: 9, Left: 28}, container.New(row, title, container.New(actionsLayout{}, p.Actions...)))
}

// Refit lays out the page again if one of its actions appeared, disappeared or changed its width.
func (p *Page) Refit() {
	widths := make([]float32, len(p.Actions))
	for i, o := range p.Actions {
		if o.Visible() {
			widths[i] = o.MinSize().Width
		}
	}
	if p.Area != nil && !slices.Equal(widths, p.laid) {
		p.laid = widths
		p.Area.Layout.Layout(p.Area.Objects, p.Area.Size())
	}
}

// actionsLayout lays out the visible actions in a row, aligned right. It uses several rows if the
// width is too small.
type actionsLayout struct{}

func (actionsLayout) flow(objects []fyne.CanvasObject) (kit.Flow, []fyne.CanvasObject) {
	shown := slices.DeleteFunc(slices.Clone(objects), func(o fyne.CanvasObject) bool { return !o.Visible() })
	return kit.Flow{Gap: 8, Right: true, Min: kit.Horizontal(8, nil, shown...).MinSize()}, shown
}

func (l actionsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	flow, shown := l.flow(objects)
	flow.Layout(shown, size)
}

func (l actionsLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	flow, shown := l.flow(objects)
	return flow.HeightFor(shown, width)
}

func (l actionsLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	flow, _ := l.flow(objects)
	return flow.Min
}

// Main is the area beside the sidebar. It shows a page or the conversation. It belongs to the UI
// goroutine. The zero value shows the conversation.
type Main struct {
	page     *Page
	OnChange func(*Page) // shows the page, or the conversation if the page is nil; the window sets it
}

// Page returns the open page, or nil while the conversation is shown.
func (m *Main) Page() *Page { return m.page }

// Open shows a page instead of the conversation or another page.
func (m *Main) Open(p *Page) {
	if m.page != p {
		m.change(p)
	}
}

// Close shows the conversation again. It reports whether a page was open.
func (m *Main) Close() bool {
	if m.page == nil {
		return false
	}
	m.change(nil)
	return true
}

// Toggle closes p if it is open. Otherwise it calls open. A nil page is not open.
func (m *Main) Toggle(p *Page, open func()) {
	if p != nil && p == m.page {
		m.change(nil)
		return
	}
	open()
}

func (m *Main) change(to *Page) {
	was := m.page
	m.page = to
	if was != nil && was.Nav != nil {
		was.Nav.SetSelected(false)
	}
	if to != nil && to.Nav != nil {
		to.Nav.SetSelected(true)
	}
	if was != nil && was.OnClose != nil {
		was.OnClose()
	}
	if m.OnChange != nil {
		m.OnChange(to)
	}
}
