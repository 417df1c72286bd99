package tools

import (
	"cmp"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/errtext"
	"goated/internal/safetext"
	"goated/internal/wording"
	"goated/ui/kit"
	"goated/ui/popup"
	"goated/ui/richtext"
	"goated/ui/view"
	"goated/ui/view/format"
	"goated/ui/virtual"
)

// A card shows what an open server may do, and lists its tools.
type card struct {
	root   fyne.CanvasObject
	height float32
	drawn  string // a digest of everything that it shows
}

// digest returns a text that changes with everything that the card of a server shows.
func digest(l *list, r row) string {
	s := fmt.Sprint(r.server.ID, r.on, r.state, sentence(r), l.full[r.key()], l.search, len(r.server.Last), l.focused && l.at.row == r.key(), l.at.tool)
	for _, t := range l.toolsOf(r) {
		s += fmt.Sprint("\n", t.entry.Name, t.on, t.title, t.asks, t.was != nil, t.tokens, t.effect, t.wrong)
	}
	return fmt.Sprint(s, len(r.tools))
}

func (c *card) same(l *list, r row) bool { return c.drawn == digest(l, r) }

// sentence describes what a server may do, or why it is not running.
func sentence(r row) string {
	s := r.server
	switch {
	case s.ID == "" && r.bundled.Name != "" && r.bundled.Summary != "":
		return r.bundled.Summary
	case s.ID == "" && len(r.tools) > 0:
		return "It is not running. These are the tools of its last start."
	case s.ID == "" && !r.on:
		return "It is off. Its tools are not known yet."
	case s.ID == "":
		return "It has not run yet, so its tools are not known."
	case s.Status == client.Failed && s.Err != nil:
		why := cmp.Or(wording.ReasonText(s.Err), errtext.PlainSentence(s.Err))
		if advice := wording.Advice(s.Err); advice != "" {
			why += " " + advice
		}
		if !r.saved && view.NeverStarted(s) {
			why += " goated saves a server once it has started."
		}
		return why
	case s.Status == client.Connecting && len(r.tools) > 0:
		return "It is starting. These are the tools of its last start."
	case s.Status == client.Connecting:
		return "It is starting."
	}
	return view.ConfinementText(s)
}

func newCard(l *list, r row) *card {
	c := &card{drawn: digest(l, r)}
	p := l.page
	icon, ink := "shield-check", kit.ColorGood
	title := view.ShieldOf(r.server).String() + "."
	switch state := view.ShieldOf(r.server); {
	case r.server.Status == client.Failed && r.server.ID != "":
		icon, ink, title = "alert", kit.ColorBad, ""
	case r.server.Status != client.Connected || r.server.ID == "":
		icon, ink, title = "info", kit.ColorMuted, ""
	case state == view.ShieldNone:
		icon, ink = "shield-off", kit.ColorBad
	case state == view.ShieldPart:
		icon, ink = "shield", kit.ColorWarn
	case state == view.ShieldRemote:
		icon, ink = "chain", kit.ColorMuted
	}
	var spans []richtext.Span
	if title != "" {
		spans = append(spans, richtext.Span{Text: title + " ", Bold: true})
	}
	words := kit.NewSpans(append(spans, richtext.Span{Text: sentence(r)}), 13, 20, kit.ColorText)
	var buttons []fyne.CanvasObject
	if id := r.server.ID; id != "" {
		if r.server.Status == client.Failed {
			for _, a := range view.DiagnosisOf(r.server.Err).Actions() {
				if a.Kind == diagnose.Unconfine {
					buttons = append(buttons, flat(wording.ActionLabel(a), func() { p.On.Unconfine(r.server) }))
				}
			}
			again := "Restart"
			if valueMissing(r.server) {
				again = "Start" // starting it asks for the value
			}
			buttons = append(buttons, flat(again, func() { p.On.Restart(r.server) }))
		} else if r.bundled.Name == "" {
			buttons = append(buttons, flat("Change…", func() { p.On.Permissions(id) }))
		}
		buttons = append(buttons, flat("Details", func() { p.On.Open(id, "") }))
	} else if r.on && !r.begins { // its switch is already on
		buttons = append(buttons, flat("Start", func() { p.switchServer(r, true) }))
	}
	if r.bundled.Name == "" {
		edit := kit.NewButton(kit.Ghost, "pencil", "", func() { p.On.Edit(r.server, r.launch) }).Small()
		remove := kit.NewButton(kit.Ghost, "trash", "", func() { p.remove(r) }).Small()
		p.Tips.Name(edit, "Change how it starts", kit.Shortcut{})
		p.Tips.Name(remove, "Remove "+safetext.Name(r.name), kit.Shortcut{})
		buttons = append(buttons, line(edit), line(remove))
	}
	top := kit.Inset(kit.Margin{Top: 10, Right: 6, Bottom: 10, Left: 14}, container.New(sentenceLayout{gap: 9, least: 260}, kit.Sized(16, 20, kit.NewIcon(icon, 15, ink)), words, kit.Horizontal(9, nil, buttons...)))
	body := kit.Vertical(0)
	for _, t := range l.toolsOf(r) {
		body.Add(newToolRow(l, r, t))
	}
	if n := len(r.tools) - len(l.toolsOf(r)); n > 0 {
		more := kit.NewButton(kit.Ghost, "chevron-down", format.Plural(n, "%d more tool", "%d more tools"), func() { l.full[r.key()] = true; l.redraw() }).Small()
		body.Add(kit.Inset(kit.Margin{Left: 46}, kit.Horizontal(0, nil, more)))
	}
	inner := kit.Vertical(0, top)
	if len(body.Objects) > 0 {
		inner.Add(kit.NewLine())
		inner.Add(kit.Inset(kit.Margin{Top: 4, Right: 0, Bottom: 6, Left: 0}, body))
	}
	box := container.New(kit.Margin{}, kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), inner)
	c.root = kit.Inset(kit.Margin{Top: 3, Right: 20, Bottom: 6, Left: 92}, box)
	c.measure(l.view.Width)
	return c
}

// measure computes the height of the card in a list of the given width.
func (c *card) measure(width float32) {
	c.height = max(kit.HeightOf(c.root, max(width-virtual.VarListBar, 300)), headHeight)
}

// flat returns a button with the height of a line of the sentence beside it.
func flat(text string, do func()) fyne.CanvasObject {
	return line(kit.NewButton(kit.Ghost, "", text, do).Small())
}

// line gives a button the height of a line of text.
func line(b *kit.Button) fyne.CanvasObject { return kit.Inset(kit.Margin{Top: -4, Bottom: -4}, b) }

// newToolRow draws one tool: its switch, title and name, its effect, its cost, and whether its
// calls ask.
func newToolRow(l *list, r row, t tool) fyne.CanvasObject {
	p := l.page
	flip := kit.NewToggle(t.on, func(on bool) { p.switchTool(r, t, on) }).Small()
	flip.SkipTab()
	ink := kit.ColorText
	if !t.on || t.wrong != "" {
		ink = kit.ColorMuted
	}
	title := kit.NewLabel(t.title, 13, ink).Elided()
	raw := kit.NewLabel(t.entry.Tool.Name, 12, kit.ColorMuted).Mono().Elided()
	if t.title == t.entry.Tool.Name {
		raw.Set("")
	}
	if t.was != nil {
		raw = kit.NewLabel(view.ChangedTool, 12, kit.ColorWarn).Elided()
	}
	tap := kit.NewTappable(7, func() {
		l.at = place{r.key(), t.entry.Tool.Name}
		if r.server.ID != "" && r.server.Status == client.Connected && t.on {
			p.On.Open(r.server.ID, t.entry.Tool.Name)
			return
		}
		l.redraw()
	})
	tap.SkipTab = true
	if t.was != nil {
		p.Tips.Explain(tap, func() string { return view.ChangedAdvice })
	}
	if l.marked(place{r.key(), t.entry.Tool.Name}) {
		tap.SetColors(kit.ColorNone, kit.ColorAccent)
	}
	pill := kit.NewPill(t.effect.String(), grave(t.effect))
	cost := kit.NewLabel(fmt.Sprintf("%d tokens", t.tokens), 13, kit.ColorMuted)
	cost.Right = true
	asks := "Asks"
	switch {
	case t.wrong != "":
		asks = "Can't be called"
	case !t.on:
		asks = "Off"
	case t.was != nil:
		asks = "Asks again"
	case !t.asks:
		asks = "Never asks"
	}
	words := kit.NewLabel(asks, 13, kit.ColorMuted)
	words.Right = true
	if t.was != nil {
		words.Paint(kit.ColorWarn)
	}
	arrow := kit.NewIcon("chevron-down", 12, kit.ColorMuted)
	choose := kit.NewTappable(7, nil)
	choose.SkipTab = true
	choose.OnTapped = func() {
		at := kit.PositionOf(choose)
		p.chooseAsking(r, t, at.AddXY(0, choose.Size().Height+2))
	}
	if t.wrong != "" {
		flip.Root.Hide()
		choose.Hide()
		arrow.Hide()
	}
	return container.New(toolLayout{}, tap, flip.Root, title, raw, pill, cost, choose, words, arrow)
}

// grave returns the severity of an effect.
func grave(e view.Effect) kit.Gravity {
	switch e {
	case view.OnlyReads:
		return kit.Harmless
	case view.DeletesData, view.ReplacesFiles, view.SendsDataOut:
		return kit.Dangerous
	case view.MakesChanges:
	}
	return kit.Careful
}

// toolLayout places the parts of a tool's row.
type toolLayout struct{}

func (toolLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	tap, flip, title, raw, pill, cost, choose, words, arrow := o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8]
	w, h := size.Width, size.Height
	kit.Place(tap, 6, 1, w-12, h-2)
	kit.Place(flip, 14, (h-20)/2, 32, 20)
	kit.Place(arrow, w-26, (h-12)/2, 12, 12)
	kit.Place(words, w-130, 0, 98, h)
	kit.Place(choose, w-124, 2, 114, h-4)
	end := w - 130
	cost.(*kit.Label).Hidden = w < 480
	if w >= 480 {
		kit.Place(cost, end-84, 0, 90, h)
		end -= 94
	}
	pillWidth := pill.MinSize().Width
	kit.Place(pill, end-pillWidth, (h-20)/2, pillWidth, 20)
	end -= pillWidth + 12
	room := max(end-58, 0)
	full := title.(*kit.Label).Measure(title.(*kit.Label).Text).Width
	wide := min(full, room)
	kit.Place(title, 58, 0, wide, h)
	rest := max(room-wide-12, 0)
	if rest < 40 {
		rest = 0
	}
	kit.Place(raw, 58+wide+12, 0, rest, h)
}

func (toolLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, toolHeight) }

// chooseAsking opens the menu of a tool, which sets whether the tool asks or is off.
func (p *Page) chooseAsking(r row, t tool, at fyne.Position) {
	popup.Show(p.Sheets.Window.Canvas(), at,
		popup.Item{Text: "Never asks", Checked: t.on && !t.asks, Disabled: p.Policy == nil || r.server.Status != client.Connected || r.server.ID == "",
			Do: func() { p.setAsking(r, t, false) }},
		popup.Item{Text: "Asks before each call", Checked: t.on && t.asks, Disabled: t.fixed, Do: func() { p.setAsking(r, t, true) }},
		popup.Item{},
		popup.Item{Text: "Off: no model sees it", Checked: !t.on, Do: func() { p.switchTool(r, t, false) }},
	)
}
