package chats

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/chip"
	"goated/ui/kit"
	"goated/ui/view"
)

// maxTurned limits the size of a pasted text that can move back into the composer, in bytes.
const maxTurned = 64 << 10

// maxRows is the number of rows up to which the composer grows. Beyond that, it scrolls.
const maxRows = 8

// A composer is the input field for messages, together with the files of the next message.
type composer struct {
	Root   *fyne.Container
	Input  *kit.Input
	ground *kit.Panel
	Tools  *kit.Label
	Count  *kit.Tappable // below Tools
	hint   *kit.Label
	Send   *kit.Button
	Clip   *kit.Button
	chips  *fyne.Container // for the files of the message
	tips   *kit.Tooltips   // for the buttons of the chips

	Suggest *suggestions // above the composer

	On composerEvents

	running bool
	rows    int
}

// composerEvents are the callbacks of the composer. Each may be nil.
type composerEvents struct {
	Send       func(text string)
	Stop       func()
	Attach     func()
	Detach     func(i int)
	Open       func(a view.Attachment) func() // returns the action of a press on a file; nil if there is none
	TurnToText func(i int)
	Resize     func() // the height of the composer changed
	Typed      func() // the text changed
}

// hint describes the keys that have an effect now.
func hint(running bool) string {
	if running {
		return "Enter to queue · Esc to stop"
	}
	return "Enter to send · Shift+Enter for a new line"
}

func newComposer(c *kit.Clock, tips *kit.Tooltips) *composer {
	m := &composer{rows: 1, tips: tips}
	m.ground = kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 18)
	m.Input = kit.NewInput(c, "Ask anything, or ask for a tool…", true)
	m.Input.Bare = true
	m.Input.SetMinRowsVisible(1)
	m.Input.OnSubmit = m.submit
	m.Input.OnFocus = func(on bool) {
		if on {
			m.ground.Paint(kit.ColorSurface, kit.ColorAccent)
		} else {
			m.ground.Paint(kit.ColorSurface, kit.ColorEdge)
		}
	}
	m.Input.OnTyped = m.grow
	m.Tools = kit.NewLabel("No tools yet", 12, kit.ColorMuted).Medium()
	m.hint = kit.NewLabel(hint(false), 12, kit.ColorFaint).Elided()
	m.hint.Right = true
	m.Send = kit.NewButton(kit.Round, "up", "", m.press)
	m.Send.SetEnabled(false)
	m.Clip = kit.NewButton(kit.Ghost, "clip", "", func() {
		if m.On.Attach != nil {
			m.On.Attach()
		}
	}).Small()
	m.chips = container.New(kit.Flow{Gap: 8, Min: kit.ChipSize()})
	m.chips.Hide()
	m.Count = kit.NewTappable(7, nil)
	count := kit.Horizontal(7, nil, kit.NewIcon("tool", 14, kit.ColorMuted), m.Tools)
	tools := container.New(kit.Margin{}, container.New(kit.Margin{Top: -5, Right: -7, Bottom: -5, Left: -7}, m.Count), count)
	foot := kit.Horizontal(7, m.hint, m.Clip, tools, kit.Sized(8, 1, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)), m.hint, m.Send)
	m.Root = kit.Boxed(m.ground, kit.Margin{Top: 8, Right: 10, Bottom: 9, Left: 10},
		kit.Vertical(2, m.chips, m.Input, kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: 4}, foot)))
	return m
}

func (m *composer) submit() {
	text := strings.TrimSpace(m.Input.Text)
	if text == "" && len(m.chips.Objects) == 0 {
		return
	}
	m.Input.SetText("")
	if m.On.Send != nil {
		m.On.Send(text)
	}
}

func (m *composer) press() {
	if !m.running {
		m.submit()
	} else if m.On.Stop != nil {
		m.On.Stop()
	}
}

// Fill replaces the text of the composer.
func (m *composer) Fill(text string) {
	m.Input.Put(text)
}

// run sets whether a turn is running. If so, the button stops it.
func (m *composer) run(on bool) {
	m.running = on
	if on {
		m.Send.SetIcon("stop")
		m.hint.Set(hint(true))
	} else {
		m.Send.SetIcon("up")
		m.hint.Set(hint(false))
	}
	m.ready()
}

func (m *composer) ready() {
	m.Send.SetEnabled(m.running || strings.TrimSpace(m.Input.Text) != "" || len(m.chips.Objects) > 0)
}

// carry shows the files that are attached to the next message.
func (m *composer) carry(files []view.Attachment) {
	m.chips.Objects = nil
	for i, a := range files {
		on := chip.Actions{Tips: m.tips, Remove: func() { m.On.Detach(i) }, Open: m.On.Open(a)}
		if a.Pasted() && len(a.Content) <= maxTurned {
			on.Text = func() { m.On.TurnToText(i) }
		}
		m.chips.Objects = append(m.chips.Objects, chip.New(a, on))
	}
	m.chips.Hidden = len(files) == 0
	m.ready()
	m.Root.Refresh()
}

func (m *composer) grow() {
	m.ready()
	if m.On.Typed != nil {
		m.On.Typed()
	}
	rows := max(1, min(m.Input.Rows(), maxRows))
	if rows == m.rows {
		return
	}
	m.rows = rows
	m.Input.SetMinRowsVisible(rows)
	if m.On.Resize != nil {
		m.On.Resize()
	}
}
