package desktop

import (
	"context"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/servers/desktop/live"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view/format"
)

// A Page shows a desktop server.
type Page struct {
	*shell.Page
	Bar *kit.Banner // above the composer while everything is stopped

	sh    *shell.Shell
	view  *live.View
	state live.State

	screen  *screen
	empty   *fyne.Container
	actions *fyne.Container
	wait    *fyne.Container // explains that everything is stopped
	status  *status
	halt    *kit.Button

	open, veiled bool
	end          context.CancelFunc // ends the stream of pictures; nil: there is none
	OnState      func(live.State)   // the window also shows the state elsewhere
}

// New returns the page for a view.
func New(sh *shell.Shell, v *live.View) *Page {
	p := &Page{sh: sh, view: v, screen: newScreen(), actions: kit.Vertical(2), status: newStatus(), empty: container.New(kit.Margin{}), OnState: func(live.State) {}}
	p.halt = kit.NewButton(kit.Outline, "stop", "Stop everything", v.Halt).Small()
	words := kit.NewText(stopped, 13, 20, kit.ColorText)
	p.wait = kit.Boxed(kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 12), kit.Margin{Top: 8, Right: 10, Bottom: 8, Left: 16},
		kit.Horizontal(10, words, kit.NewIcon("alert", 16, kit.ColorWarn), words, kit.NewButton(kit.Primary, "play", "Resume", v.Resume).Small()))
	p.Bar = (&kit.Banner{Text: kit.NewText("", 13, 19, kit.ColorText), More: kit.NewButton(kit.Outline, "play", "Resume", v.Resume).Small()}).Build("stop", kit.ColorWarn, kit.ColorWarnSoft)
	p.Bar.Say("")
	p.Page = &shell.Page{
		Title: "Desktop", Note: kit.NewLabel("", 13, kit.ColorMuted), Actions: []fyne.CanvasObject{p.status.root, p.halt},
		Body: container.New(layout{}, p.wait, p.screen.root, p.empty, p.actions), OnClose: p.close,
	}
	p.show(live.State{})
	return p
}

// Watch follows the server until ctx ends. It must run on a separate goroutine.
func (p *Page) Watch(ctx context.Context) {
	for s := range p.view.Watch(ctx) {
		drawn := make(chan struct{})
		p.sh.Post(func() { p.show(s); close(drawn) })
		select {
		case <-drawn:
		case <-ctx.Done():
			return
		}
	}
}

// Open shows the page.
func (p *Page) Open() {
	p.open = true
	p.show(p.view.State())
	p.stream()
	p.sh.Main.Open(p.Page)
}

func (p *Page) close() {
	p.open = false
	p.stream()
}

// Veil sets whether the user sees no window of goated.
func (p *Page) Veil(on bool) {
	p.veiled = on
	p.stream()
}

// stream takes pictures only while the user can see them.
func (p *Page) stream() {
	switch seen := p.open && !p.veiled; {
	case seen && p.end == nil:
		var ctx context.Context
		ctx, p.end = context.WithCancel(p.sh.Ctx)
		p.sh.Go(func() {
			p.view.Pictures(ctx, p.screen.within, func(m *image.RGBA) {
				shown := make(chan struct{})
				p.sh.Post(func() {
					defer close(shown)
					if ctx.Err() == nil {
						p.picture(m)
					}
				})
				select {
				case <-shown: // a slow window receives fewer pictures
				case <-ctx.Done():
				}
			})
		})
	case !seen && p.end != nil:
		p.end()
		p.end = nil
		p.picture(nil)
	}
}

// picture shows a picture; nil removes it.
func (p *Page) picture(m *image.RGBA) {
	had := p.screen.image.Image != nil
	p.screen.show(m)
	if had != (m != nil) {
		p.arrange()
	}
}

// show updates the page to a state.
func (p *Page) show(s live.State) {
	p.state = s
	p.Note.Set(note(s))
	p.halt.SetEnabled(s.Connected && !s.Halted)
	p.status.show(s)
	p.Refit()
	p.wait.Hidden = !s.Halted
	text := ""
	if s.Halted {
		text = stopped
	}
	p.Bar.Say(text)
	p.actions.RemoveAll()
	for i, a := range s.Actions {
		p.actions.Add(p.line(a, i == 0))
	}
	p.empty.RemoveAll()
	p.empty.Add(kit.NewEmptyNote("monitor", noPictureReason(s)))
	p.arrange()
	p.OnState(s)
}

// line draws an action.
func (p *Page) line(a live.Action, last bool) fyne.CanvasObject {
	ink, words := kit.ColorMuted, kit.NewLabel(sentence(a), 13, kit.ColorMuted)
	if last {
		ink, words = kit.ColorText, kit.NewLabel(sentence(a), 13, kit.ColorText).Medium()
	}
	icon, tint := "check", ink
	switch {
	case !a.Ended:
		icon, tint = "activity", kit.ColorAccent
	case a.Failed != "":
		icon, tint = "alert", kit.ColorBad
	}
	words = words.Elided()
	row := []fyne.CanvasObject{kit.NewIcon(icon, 14, tint), words}
	how := outcome(a)
	if how == "" {
		how = format.Ago(a.Begun, p.sh.Now())
	}
	note := kit.NewLabel(how, 12, kit.ColorFaint)
	if a.Failed != "" {
		note = kit.NewLabel(how, 12, kit.ColorBad).Elided()
		return container.New(kit.Fixed{Min: fyne.NewSize(1, 22)}, container.New(halves{}, kit.Horizontal(8, words, row...), note))
	}
	return kit.Sized(1, 22, kit.Horizontal(8, words, append(row, note)...))
}

// arrange shows the picture, or the reason why there is none.
func (p *Page) arrange() {
	picture := p.screen.image.Image != nil
	p.screen.root.Hidden, p.empty.Hidden = !picture, picture || p.state.Hidden
	if body := p.Body.(*fyne.Container); body.Size().Width > 0 {
		body.Layout.Layout(body.Objects, body.Size())
		body.Refresh()
	}
}

// halves are two columns of the same width.
type halves struct{}

func (halves) Layout(o []fyne.CanvasObject, size fyne.Size) {
	w := (size.Width - 12) / 2
	kit.Place(o[0], 0, 0, w, size.Height)
	kit.Place(o[1], w+12, 0, w, size.Height)
}

func (halves) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 22) }

// layout places the note, and the picture with the actions below it, or the empty note.
type layout struct{}

func (layout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	const side, top, gap = 28, 20, 16
	w, y := max(size.Width-2*side, 0), float32(top)
	if o[0].Visible() {
		h := kit.HeightOf(o[0], w)
		kit.Place(o[0], side, y, w, h)
		y += h + gap
	}
	low := kit.HeightOf(o[3], w)
	room := max(size.Height-y-low-2*gap, 0)
	kit.Place(o[1], side, y, w, room)
	kit.Place(o[2], side, y, w, kit.HeightOf(o[2], w))
	switch {
	case o[1].Visible():
		y += min(room, o[1].(*fyne.Container).Layout.(*screen).height(fyne.NewSize(w, room)))
	case o[2].Visible():
		y += kit.HeightOf(o[2], w)
	}
	kit.Place(o[3], side, y+gap, w, low)
}

func (layout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(320, 240) }

// A status is the pill in the header.
type status struct {
	root  *fyne.Container
	panel *kit.Panel
	dot   *kit.Panel
	word  *kit.Label
}

func newStatus() *status {
	s := &status{panel: kit.NewPanel(kit.ColorSoft, kit.ColorNone, 10), dot: kit.NewPanel(kit.ColorGood, kit.ColorNone, 4), word: kit.NewLabel("", 12, kit.ColorText).Medium()}
	pill := kit.Boxed(s.panel, kit.Margin{Top: 0, Right: 10, Bottom: 0, Left: 8}, container.New(kit.Row{Gap: 7}, kit.Sized(8, 8, s.dot), kit.Inset(kit.Margin{Top: 2, Right: 0, Bottom: 2, Left: 0}, s.word)))
	s.root = kit.Sized(88, 22, pill) // the same width for all words, so that the header is laid out only once
	return s
}

func (s *status) show(now live.State) {
	ink, ground := kit.ColorMuted, kit.ColorBubble
	switch {
	case now.Halted:
		ink, ground = kit.ColorWarn, kit.ColorWarnSoft
	case now.Acting > 0:
		ink, ground = kit.ColorGood, kit.ColorSoft
	}
	s.word.Text, s.word.Color = state(now), ink
	s.dot.Paint(ink, kit.ColorNone)
	s.panel.Paint(ground, kit.ColorNone)
	s.root.Refresh()
}
