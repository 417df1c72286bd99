// Package settings draws the sheet with the settings and applies each change immediately. It owns
// the state of that sheet; the shell owns the settings. It must not depend on other pages or the
// window, which pass it functions.
package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/kit"
	"goated/ui/shell"
)

// The pages of the settings.
const (
	Model = iota
	Limits
	Look
	Approvals
	Servers
	Data
)

// A sheet shows the settings. Each change takes effect immediately.
type sheet struct {
	*kit.Tabs
	*Pages

	Models  []string // the models that the key can use; nil until loaded
	loading bool
	testing bool   // the load in progress is a test of the key
	Tested  string // the outcome of the last change or test of the key
	failed  bool   // Tested is an error
	typing  bool   // the field for a new key is visible
	key     newKey
	typed   map[string]string // the texts that the user typed but did not apply, by field name; kept for a redraw

	entered       newService
	service       string // the outcome of the last change of a service
	serviceFailed bool   // service is an error
}

// Pages opens the sheet with the settings. Its fields and methods belong to the UI goroutine.
type Pages struct {
	*shell.Shell
	Shown   *sheet           // nil while the sheet is closed
	Keys    *Keys            // nil: keys cannot be stored
	Policy  *consent.Policy  // nil: there are no grants for tools
	Bundled []config.Bundled // goated's own servers
	Storage
	Naming
	// Services manages services with OpenAI's chat interface. If it is nil, the page does not
	// show them.
	Services *Services

	OnTheme    func(name string)
	OnText     func(size int)
	OnZoom     func(by int)
	OnKey      func(then func(error))              // runs after a change of the key
	Grants     func(redo func()) fyne.CanvasObject // draws the permissions of the servers
	OnBundled  func(b config.Bundled, on bool)     // connects or disconnects one of goated's own servers
	OnInstruct func()                              // shows the instructions for the model
}

// Naming returns names of servers.
type Naming struct {
	Launching func(config.Launch) string // describes a server on one line
	Granted   func(consent.Grant) string // returns the name of the server that a grant belongs to
}

// A Storage is where goated stores its data, and how conversations are exported and imported. If
// OnExport is nil, nothing is saved.
type Storage struct {
	DataDir, LogFile   string
	OnExport, OnImport func()
}

// Open opens a page of the settings.
func (sp *Pages) Open(page int) {
	if sp.Shown != nil {
		sp.Shown.Select(page)
		return
	}
	b := &sheet{Pages: sp, typed: make(map[string]string)}
	b.Tabs = kit.NewTabs(kit.NewLabel("Settings", 18, kit.ColorText).Strong().Elided(), nil,
		[2]string{"chat", "Model and key"}, [2]string{"clock", "Limits"}, [2]string{"sun", "Appearance"},
		[2]string{"shield", "Approvals"}, [2]string{"server", "Servers"}, [2]string{"folder", "Data"})
	b.OnSelect = b.draw
	b.OnClose = func() {
		sp.Shown = nil
		sp.Sheets.Shut(b.Sheet)
	}
	b.Holds = func() bool {
		page := held(b)
		if page >= 0 && page != b.At {
			b.Select(page)
		}
		return page >= 0
	}
	sp.Shown = b
	sp.Sheets.Open(b.Sheet)
	b.Select(page)
	kit.Focus(b.Names[page].Tappable)
}

// held returns the page that contains text that the user has not applied, or -1 if there is none.
func held(b *sheet) int {
	_, model := b.typed[modelField]
	switch {
	case b.key.text != "" || b.entered != newService{} || model:
		return Model
	case len(b.typed) > 0:
		return Limits
	}
	return -1
}

// OpenKey opens the page with the key. If no key is set, it focuses the field for the key.
func (sp *Pages) OpenKey() {
	sp.Open(Model)
	sp.Shown.focusKey()
}

// Redraw redraws the open page after a change from outside.
func (sp *Pages) Redraw() {
	if sp.Shown != nil {
		sp.Shown.redo()
	}
}

// redo redraws the open page while the user works on it. The new controls take over the focus,
// the cursor and the scroll position of the old ones.
func (b *sheet) redo() {
	c, offset := b.Sheets.Window.Canvas(), b.Body.Scroll.Offset
	old, _ := c.Focused().(*kit.Input)
	at, held := kit.FocusPointOn(c, b.Slots)
	b.draw(b.At)
	b.Body.Scroll.ScrollToOffset(offset)
	if !held {
		return
	}
	at.Restore(c, b.Slots, b.Names[b.At].Tappable)
	if now, ok := c.Focused().(*kit.Input); ok && old != nil && now.Text == old.Text {
		now.CursorRow, now.CursorColumn = old.CursorRow, old.CursorColumn
		now.Refresh()
	}
}

func (b *sheet) draw(page int) {
	switch page {
	case Model:
		b.Show(b.modelPage())
		b.load(false)
	case Limits:
		b.Show(b.limitsPage())
	case Look:
		b.Show(b.lookPage())
	case Approvals:
		b.Show(b.approvalsPage())
	case Servers:
		b.Show(b.serversPage())
	case Data:
		b.Show(b.dataPage())
	}
}

func (b *sheet) limitsPage() fyne.CanvasObject {
	s := *b.Settings
	seconds := func(title, remark, name string, l config.Limit, usual time.Duration, set func(*config.Settings, config.Limit)) fyne.CanvasObject {
		control, fault := b.number(name, int(time.Duration(l)/time.Second), int(usual/time.Second), "s", 3600, func(n int) {
			next := *b.Settings
			set(&next, config.Limit(time.Duration(n)*time.Second))
			b.Change(next)
		})
		return kit.Vertical(4, kit.SettingRow(title, remark, control), fault)
	}
	steps, fault := b.number("steps", s.MaxSteps, agent.DefaultMaxSteps, "", 200, func(n int) {
		next := *b.Settings
		next.MaxSteps = n
		b.Change(next)
	})
	return kit.Vertical(28,
		kit.Section("Time", "goated stops anything that takes longer. Waiting for you doesn't count.",
			seconds("Connecting a server", "From its start to its list of tools.", "connect", s.ConnectTimeout, client.DefaultConnectTimeout, func(n *config.Settings, l config.Limit) { n.ConnectTimeout = l }),
			seconds("A tool call", "", "call", s.CallTimeout, client.DefaultCallTimeout, func(n *config.Settings, l config.Limit) { n.CallTimeout = l }),
			seconds("A silent model", "Applies to new conversations.", "answer", s.AnswerTimeout, agent.DefaultIdle, func(n *config.Settings, l config.Limit) { n.AnswerTimeout = l })),
		kit.Section("A turn", "After this many requests, goated stops the turn and you decide whether it continues. Applies to new conversations.",
			kit.Vertical(4, kit.SettingRow("Requests to the model", "", steps), fault)))
}

// number returns a field for an integer from 1 to most. An empty field means 0, the default, and
// shows usual as placeholder. If the text is not such an integer, the field keeps it under its
// name, and fault explains what the field accepts.
func (b *sheet) number(name string, value, usual int, unit string, most int, set func(int)) (control, fault fyne.CanvasObject) {
	in := kit.NewInput(b.Clock, strconv.Itoa(usual), false)
	if value > 0 {
		in.Put(strconv.Itoa(value))
	}
	field := kit.NewField(in)
	background := field.Objects[0].(*kit.Panel)
	allowed := kit.NewText(fmt.Sprintf("Enter a whole number from 1 to %d. If you enter none, the limit is %d.", most, usual), 12, 18, kit.ColorBad)
	allowed.Hide()
	check := func() (n int) {
		n, err := strconv.Atoi(strings.TrimSpace(in.Text))
		in.Wrong = strings.TrimSpace(in.Text) != "" && (err != nil || n < 1 || n > most)
		in.Ring(background)
		if shown := allowed.Visible(); shown != in.Wrong {
			allowed.Hidden = shown
			b.Refit()
		}
		return n
	}
	if text, ok := b.typed[name]; ok {
		in.Put(text)
		check()
	}
	in.OnTyped = func() {
		n := check()
		if in.Wrong {
			b.typed[name] = in.Text
			return
		}
		delete(b.typed, name)
		set(n)
	}
	in.OnSubmit = func() { b.Sheets.Window.Canvas().FocusNext() }
	// Reserve the same width with and without a unit, so that the fields are aligned.
	wide := max(10, kit.NewLabel("s", 13, kit.ColorMuted).MinSize().Width)
	return kit.Horizontal(8, nil, container.New(kit.Fixed{Min: fyne.NewSize(92, 38)}, field), kit.Sized(wide, 19, kit.NewLabel(unit, 13, kit.ColorMuted))), allowed
}
