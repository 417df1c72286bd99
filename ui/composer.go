package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

// maxRows is how far the composer grows before it scrolls.
const maxRows = 8

// A composer is where the user writes.
type composer struct {
	root   *fyne.Container
	input  *input
	ground *panel
	tools  *label
	hint   *label
	send   *button
	clip   *button
	chips  *fyne.Container // of the files that go with the message

	OnSend   func(text string)
	OnStop   func()
	OnAttach func()
	OnDetach func(i int)
	OnResize func() // its height has changed
	OnTyped  func() // its text has changed

	running bool
	rows    int
}

// hint says what the keys do now.
func hint(running bool) string {
	if running {
		return "Esc to stop"
	}
	return "Enter to send · Shift+Enter for a new line"
}

func newComposer(c *clock) *composer {
	m := &composer{rows: 1}
	m.ground = newPanel(colorSurface, colorEdge, 18)
	m.input = newInput(c, "Ask anything, or ask for a tool…", true)
	m.input.bare = true
	m.input.SetMinRowsVisible(1)
	m.input.OnSubmit = m.submit
	m.input.OnFocus = func(on bool) {
		if on {
			m.ground.paint(colorSurface, colorAccent)
		} else {
			m.ground.paint(colorSurface, colorEdge)
		}
	}
	m.input.OnTyped = m.grow
	m.tools = newLabel("No tools yet", 12, colorMuted).medium()
	m.hint = newLabel(hint(false), 12, colorFaint).elided()
	m.hint.right = true
	m.send = newButton(round, "up", "", m.press)
	m.send.enable(false)
	m.clip = newButton(ghost, "clip", "", func() {
		if m.OnAttach != nil {
			m.OnAttach()
		}
	}).small()
	m.chips = container.New(flow{gap: 8, least: chipSize()})
	m.chips.Hide()
	foot := horizontal(7, m.hint, m.clip, newGlyph("tool", 14, colorMuted), m.tools, sized(8, 1, newPanel(colorNone, colorNone, 0)), m.hint, m.send)
	m.root = boxed(m.ground, margin{8, 10, 9, 10},
		vertical(2, m.chips, m.input, inset(margin{0, 0, 0, 4}, foot)))
	return m
}

func (m *composer) submit() {
	text := strings.TrimSpace(m.input.Text)
	if text == "" && len(m.chips.Objects) == 0 || m.running {
		return // while a turn runs the text waits where it is
	}
	m.input.SetText("")
	if m.OnSend != nil {
		m.OnSend(text)
	}
}

func (m *composer) press() {
	if !m.running {
		m.submit()
	} else if m.OnStop != nil {
		m.OnStop()
	}
}

// fill puts text into the composer, for the user to change or to send.
func (m *composer) fill(text string) {
	m.input.put(text)
}

// run shows whether a turn runs.
func (m *composer) run(on bool) {
	m.running = on
	if on {
		m.send.setIcon("stop")
		m.hint.set(hint(true))
	} else {
		m.send.setIcon("up")
		m.hint.set(hint(false))
	}
	m.ready()
}

func (m *composer) ready() {
	m.send.enable(m.running || strings.TrimSpace(m.input.Text) != "" || len(m.chips.Objects) > 0)
}

// carry shows the files that go with the message.
func (m *composer) carry(files []view.Attachment) {
	m.chips.Objects = nil
	for i, a := range files {
		m.chips.Objects = append(m.chips.Objects, newChip(a, func() {
			if m.OnDetach != nil {
				m.OnDetach(i)
			}
		}))
	}
	m.chips.Hidden = len(files) == 0
	m.ready()
	m.root.Refresh()
}

func (m *composer) grow() {
	m.ready()
	if m.OnTyped != nil {
		m.OnTyped()
	}
	rows := max(1, min(m.input.rows(), maxRows))
	if rows == m.rows {
		return
	}
	m.rows = rows
	m.input.SetMinRowsVisible(rows)
	if m.OnResize != nil {
		m.OnResize()
	}
}
