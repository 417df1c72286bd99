package ui

import (
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
)

// The pages of the settings.
const (
	settingsModel = iota
	settingsLimits
	settingsLook
	settingsApprovals
	settingsServers
	settingsData
)

// A settingsBook shows the settings and changes them as they are touched: there
// is nothing to apply.
type settingsBook struct {
	*book
	w *Window

	models  []string // that the key can use; nil until they are loaded
	loading bool
	testing bool   // what is loading is a test of the key
	tested  string // what came of the last test of the key
	failed  bool   // and whether that is an error
	typing  bool   // a new key is being typed
}

// openSettings shows a page of the settings.
func (w *Window) openSettings(page int) {
	if w.book != nil {
		w.book.turn(page)
		return
	}
	b := &settingsBook{w: w}
	b.book = newBook(newLabel("Settings", 18, colorText).strong().elided(), nil,
		[2]string{"chat", "Model and key"}, [2]string{"clock", "Limits"}, [2]string{"sun", "Look"},
		[2]string{"shield", "Approvals"}, [2]string{"server", "Servers"}, [2]string{"folder", "Data"})
	b.OnTurn = b.draw
	b.OnClose = func() {
		w.book = nil
		w.shut(b.sheet)
	}
	w.book = b
	w.open(b.sheet)
	b.turn(page)
	focus(b.names[page].spot)
}

// redo draws the page that is open anew.
func (b *settingsBook) redo() { b.draw(b.at) }

func (b *settingsBook) draw(page int) {
	switch page {
	case settingsModel:
		b.show(b.modelPage())
		b.load(false)
	case settingsLimits:
		b.show(b.limitsPage())
	case settingsLook:
		b.show(b.lookPage())
	case settingsApprovals:
		b.show(b.approvalsPage())
	case settingsServers:
		b.show(b.serversPage())
	case settingsData:
		b.show(b.dataPage())
	}
}

func (b *settingsBook) limitsPage() fyne.CanvasObject {
	s := b.w.settings
	seconds := func(l config.Limit, usual time.Duration, set func(*config.Settings, config.Limit)) fyne.CanvasObject {
		return b.number(int(time.Duration(l)/time.Second), int(usual/time.Second), "s", 3600, func(n int) {
			next := b.w.settings
			set(&next, config.Limit(time.Duration(n)*time.Second))
			b.w.change(next)
		})
	}
	thoughts := newOption(boxMark, "Show summaries of the model's thinking", s.Thoughts, nil)
	thoughts.OnChange = func() {
		next := b.w.settings
		next.Thoughts = thoughts.on
		b.w.change(next)
	}
	return vertical(28,
		chapter("Time", "What takes longer is ended, and says so. Time in which you are asked something doesn't count.",
			preference("Connecting a server", "From its start to its list of tools.", seconds(s.ConnectTimeout, client.DefaultConnectTimeout, func(n *config.Settings, l config.Limit) { n.ConnectTimeout = l })),
			preference("A tool call", "", seconds(s.CallTimeout, client.DefaultCallTimeout, func(n *config.Settings, l config.Limit) { n.CallTimeout = l }))),
		chapter("A turn", "A model that goes on calling tools is stopped, and you decide whether it goes on. New conversations use this.",
			preference("Requests to the model", "", b.number(s.MaxSteps, agent.DefaultMaxSteps, "", 200, func(n int) {
				next := b.w.settings
				next.MaxSteps = n
				b.w.change(next)
			})),
			thoughts.root))
}

// number is a field for a whole number, of which 0 is shown as what is usual.
func (b *settingsBook) number(value, usual int, unit string, most int, set func(int)) fyne.CanvasObject {
	in := newInput(b.w.clock, strconv.Itoa(usual), false)
	if value > 0 {
		in.put(strconv.Itoa(value))
	}
	field := newField(in)
	ground := field.Objects[0].(*panel)
	in.OnTyped = func() {
		n, err := strconv.Atoi(strings.TrimSpace(in.Text))
		empty := strings.TrimSpace(in.Text) == ""
		in.wrong = !empty && (err != nil || n < 1 || n > most)
		in.ring(ground)
		switch {
		case empty:
			set(0)
		case !in.wrong:
			set(n)
		}
	}
	in.OnSubmit = func() { b.w.win.Canvas().FocusNext() }
	// Fields stand under each other, with a unit and without.
	wide := max(10, newLabel("s", 13, colorMuted).MinSize().Width)
	return horizontal(8, nil, container.New(fixed{fyne.NewSize(92, 38)}, field), sized(wide, 19, newLabel(unit, 13, colorMuted)))
}
