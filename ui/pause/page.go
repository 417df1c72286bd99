package pause

import (
	"fmt"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/safetext"
	"goated/servers/pause/history"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view/format"
)

// PageHooks are the functions that the page of all questions calls. All are set.
type PageHooks struct {
	History  *history.History
	Deferred func() int        // returns how many questions wait because of "do not disturb"
	Answer   func()            // shows them now
	Choose   func(*kit.Button) // lists them at a button
	Quiet    func() bool
	SetQuiet func(on bool)
}

// A Page lists the questions of programs: the waiting ones, and all answered ones. It belongs to
// the UI goroutine.
type Page struct {
	*shell.Page
	sh     *shell.Shell
	on     PageHooks
	search *kit.Input
	quiet  *kit.Option
	held   *kit.Label
	wait   *fyne.Container
	which  *kit.Button // lists the waiting questions
	list   *fyne.Container
	scroll *kit.Scroller
}

// rows limits how many questions the page draws. The search finds the others.
const rows = 100

// NewPage draws the page.
func NewPage(sh *shell.Shell, on PageHooks) *Page {
	p := &Page{sh: sh, on: on, held: kit.NewLabel("", 14, kit.ColorText).Medium(), list: kit.Vertical(8)}
	p.search = kit.NewInput(sh.Clock, "Find a question or an answer", false)
	p.search.OnTyped = p.Draw
	field := kit.NewField(p.search)
	field.Objects[1] = kit.Inset(kit.Margin{Top: 0, Right: 6, Bottom: 0, Left: 12}, kit.Horizontal(2, p.search, kit.NewIcon("search", 15, kit.ColorFaint), p.search))
	p.quiet = kit.NewOption(kit.Checkbox, "Do not disturb: questions wait here, without a sound", on.Quiet(), nil)
	p.quiet.OnChange = func() { on.SetQuiet(p.quiet.On); p.Draw() }
	p.which = kit.NewButton(kit.Outline, "chevron-down", "Choose one", nil).Small().Trailing()
	p.which.OnTapped = func() { on.Choose(p.which) }
	p.wait = kit.Boxed(kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 12), kit.Margin{Top: 10, Right: 12, Bottom: 10, Left: 16},
		kit.Horizontal(10, p.held, kit.NewIcon("message", 16, kit.ColorWarn), p.held, p.which, kit.NewButton(kit.Primary, "", "Answer now", on.Answer).Small()))
	p.scroll = kit.NewScroller(container.New(kit.MaxWidth{Width: 760, Edge: 20}, kit.Inset(kit.Margin{Top: 18, Bottom: 24}, kit.Vertical(14,
		p.quiet.Root, p.wait, kit.Sized(1, 36, field), p.list))))
	forget := kit.NewButton(kit.Ghost, "trash", "Clear history", p.clear)
	p.Page = &shell.Page{
		Title: "Questions", Note: kit.NewLabel("what programs asked you", 13, kit.ColorMuted), Body: p.scroll.Root, First: p.search,
		Actions: []fyne.CanvasObject{forget}, OnFind: func() { kit.Focus(p.search) },
	}
	return p
}

// clear deletes all answered questions.
func (p *Page) clear() {
	if err := p.on.History.Clear(); err != nil {
		p.sh.Alert(err)
	}
	p.Draw()
}

// Draw shows the waiting questions and the results of the search.
func (p *Page) Draw() {
	n := p.on.Deferred()
	p.held.Set(format.Plural(n, "%d question waits for you", "%d questions wait for you"))
	p.wait.Hidden = n == 0
	p.which.Hidden = n < 2
	p.wait.Refresh()
	p.quiet.Set(p.on.Quiet())
	found := p.on.History.Search(p.search.Text)
	p.list.RemoveAll()
	for _, r := range found[:min(len(found), rows)] {
		p.list.Add(p.row(r))
	}
	switch more := len(found) - rows; {
	case len(found) == 0 && p.search.Text != "":
		p.list.Add(kit.NewEmptyNote("search", "No question or answer has these words."))
	case len(found) == 0:
		p.list.Add(kit.NewEmptyNote("message", "No program has asked you anything yet. Models ask with the tools of pause, which you switch on under Tools."))
	case more > 0:
		p.list.Add(kit.NewLabel(fmt.Sprintf("%d more. Type to filter.", more), 12, kit.ColorFaint))
	}
	if size := p.scroll.Root.Size(); size.Width > 0 {
		p.scroll.Root.Layout.Layout(p.scroll.Root.Objects, size)
	}
}

// row draws a question with its answer.
func (p *Page) row(r history.Record) fyne.CanvasObject {
	question := kit.NewText(safetext.Mark(safetext.Cut(unmarked(r.Kind, r.Question), 300)), 14, 21, kit.ColorText)
	question.Style.Bold = true
	who := tool(r.Kind) + " · " + safetext.Name(r.Caller.Name)
	if r.Caller.Folder != "" {
		who += " in " + safetext.Name(filepath.Base(r.Caller.Folder))
	}
	line := kit.NewLabel(who, 12, kit.ColorMuted).Elided()
	parts := []fyne.CanvasObject{kit.Horizontal(10, line, line, kit.NewLabel(format.Ago(r.Ended, p.sh.Now()), 12, kit.ColorFaint)), question}
	switch r.Outcome {
	case history.Answered:
		parts = append(parts, kit.NewText(safetext.Mark(safetext.Cut(r.Answer, 600)), 13, 20, kit.ColorAccent))
	case history.Cancelled:
		parts = append(parts, kit.NewText("You cancelled it.", 13, 20, kit.ColorMuted))
	default:
		parts = append(parts, kit.NewText("The program did not wait for your answer.", 13, 20, kit.ColorMuted))
		if r.Draft != "" {
			entered := kit.NewText("You had entered: "+safetext.Mark(safetext.Cut(r.Draft, 600)), 13, 20, kit.ColorText)
			parts = append(parts, kit.Horizontal(8, entered, entered, kit.NewButton(kit.Ghost, "copy", "Copy", func() { p.sh.Copy(r.Draft) }).Small()))
		}
	}
	return kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 10, Right: 16, Bottom: 12, Left: 16}, kit.Vertical(3, parts...))
}
