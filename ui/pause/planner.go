package pause

import (
	"cmp"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/markdown"
)

// planner is the dialog that shows a plan and the ways to continue.
type planner struct {
	card    *card
	q       *dialog.Planner
	list    *options
	more    *kit.Input
	mode    dialog.ThinkingMode
	modes   map[dialog.ThinkingMode]*kit.Tappable
	files   *files
	thought *fyne.Container
	actions []*kit.Button
}

func newPlanner(c *card, q *dialog.Planner) *planner {
	p := &planner{card: c, q: q, mode: dialog.Normal, list: newOptions(q.Options, false, 1), files: newFiles(c)}
	p.more = kit.NewInput(c.sh.Clock, "Anything to add", true)
	p.more.SetMinRowsVisible(1)
	p.more.EnterBreaks = true
	action := func(a dialog.Action) func() {
		return func() {
			answer := p.answer()
			answer.Action = a
			c.submit(answer)
		}
	}
	execute := action(dialog.Execute)
	p.actions = []*kit.Button{
		kit.NewButton(kit.Outline, "", "Plan only", action(dialog.Plan)).Keyed("P"),
		kit.NewButton(kit.Outline, "", "Send and ask me again", action(dialog.Submit)),
		kit.NewButton(kit.Primary, "", "Execute", execute).Keyed("Ctrl+Enter"),
	}
	p.more.OnSubmit, p.list.onSubmit = execute, execute
	p.list.changed, p.more.OnTyped, p.files.changed = p.enable, p.enable, p.enable
	p.list.onPaste = p.files.paste
	numbers := p.list.onRune
	p.list.onRune = func(r rune) {
		numbers(r)
		p.letter(unicode.ToLower(r))
	}
	p.thought = p.drawModes()
	p.think(dialog.Normal)
	p.list.choose(q.DefaultAction)
	if f := c.Former; f != nil && !f.SwitchToText {
		p.list.choose(f.Choice)
		p.more.Put(f.Context)
		p.think(cmp.Or(f.ThinkingMode, dialog.Normal))
		p.files.add(f.Attachments)
	}
	p.enable()
	return p
}

// letter handles the keys for the modes and for Plan only.
func (p *planner) letter(r rune) {
	for _, mode := range dialog.ThinkingModes() {
		if rune(mode[0]) == r {
			p.think(mode)
		}
	}
	if r == 'p' {
		p.actions[0].Tapped(nil)
	}
}

// enable enables the actions once the user has chosen or written something.
func (p *planner) enable() {
	p.card.leaving.Edited()
	ready := p.q.Accept(p.answer()) == nil
	for _, b := range p.actions {
		b.SetEnabled(ready)
	}
}

func (p *planner) think(mode dialog.ThinkingMode) {
	p.card.leaving.Edited()
	p.mode = mode
	for m, region := range p.modes {
		if m == mode {
			region.SetColors(kit.ColorSurface, kit.ColorEdge)
		} else {
			region.SetColors(kit.ColorNone, kit.ColorNone)
		}
	}
}

// drawModes draws the thinking modes as a segmented control.
func (p *planner) drawModes() *fyne.Container {
	p.modes = make(map[dialog.ThinkingMode]*kit.Tappable)
	words := map[dialog.ThinkingMode][2]string{
		dialog.Quick: {"Quick", "Q"}, dialog.Normal: {"Normal", "N"}, dialog.Deep: {"Deep", "D"}, dialog.Ultra: {"Ultra", "U"},
	}
	var segments []fyne.CanvasObject
	for _, mode := range dialog.ThinkingModes() {
		region := kit.NewTappable(8, func() { p.think(mode) })
		p.modes[mode] = region
		text := kit.Horizontal(8, nil, kit.NewLabel(words[mode][0], 13, kit.ColorText), kit.NewLabel(words[mode][1], 11, kit.ColorFaint))
		segments = append(segments, container.New(kit.Margin{}, region, kit.Inset(kit.Margin{Top: 5, Right: 10, Bottom: 5, Left: 10}, text)))
	}
	row := kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 9), kit.Margin{Top: 2, Right: 2, Bottom: 2, Left: 2}, flow(2, segments...))
	thinking := flow(10, heading("Thinking"), row)
	if pick := p.files.pickButton("Attach…"); pick != nil {
		return container.New(kit.SideBySide{Gap: 10, Least: thinking.MinSize().Width, Right: true}, thinking, pick)
	}
	return thinking
}

// flow returns a row that wraps if its width is too small.
func flow(gap float32, parts ...fyne.CanvasObject) *fyne.Container {
	return container.New(kit.Flow{Gap: gap, Min: kit.Horizontal(gap, nil, parts...).MinSize()}, parts...)
}

func (p *planner) root() fyne.CanvasObject {
	choice := kit.Vertical(6, heading("Your choice"), p.list)
	var top fyne.CanvasObject = choice
	if text := context(p.q); text != nil {
		plan := kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{Top: 12, Right: 14, Bottom: 12, Left: 14}, text)
		top = container.New(halves{16}, kit.Vertical(6, heading("Context and plan"), plan), choice)
	}
	return kit.Vertical(14, top, kit.NewField(p.more), p.thought, p.files.chips)
}

// context draws the overview and the plan. It returns nil if there is neither.
func context(q *dialog.Planner) fyne.CanvasObject {
	var parts []fyne.CanvasObject
	if q.VisualOutput != "" {
		parts = append(parts, markdown.Text(q.VisualOutput))
	}
	if q.Plan != "" {
		parts = append(parts, kit.NewLabel("Plan", 14, kit.ColorText).Strong(), markdown.Text(q.Plan))
	}
	if len(parts) == 0 {
		return nil
	}
	return kit.Vertical(10, parts...)
}

func (p *planner) first() fyne.Focusable { return p.list }

func (p *planner) hint() string { return p.list.numbers() + " · Ctrl+Enter executes" }

func (p *planner) buttons() []fyne.CanvasObject {
	return []fyne.CanvasObject{p.actions[0], p.actions[1], p.actions[2]}
}

func (p *planner) answer() dialog.Answer {
	a := dialog.Answer{ThinkingMode: p.mode, Action: dialog.Execute, Context: p.more.Text, Attachments: p.files.all}
	if chosen := p.list.chosen(); len(chosen) == 1 {
		a.Choice = chosen[0]
	}
	return a
}

// halves is a layout with two columns, or one below a width of 660.
type halves struct{ gap float32 }

const stacked = 660

func (l halves) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	if size.Width < stacked {
		h := kit.HeightOf(objects[0], size.Width)
		kit.Place(objects[0], 0, 0, size.Width, h)
		kit.Place(objects[1], 0, h+l.gap, size.Width, kit.HeightOf(objects[1], size.Width))
		return
	}
	w := (size.Width - l.gap) / 2
	for i, o := range objects {
		kit.Place(o, float32(i)*(w+l.gap), 0, w, kit.HeightOf(o, w))
	}
}

// HeightFor implements [kit.TallLayout].
func (l halves) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	if width < stacked {
		return kit.HeightOf(objects[0], width) + l.gap + kit.HeightOf(objects[1], width)
	}
	w := (width - l.gap) / 2
	return max(kit.HeightOf(objects[0], w), kit.HeightOf(objects[1], w))
}

func (l halves) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, l.HeightFor(objects, stacked))
}
