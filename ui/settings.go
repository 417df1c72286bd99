package ui

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/client"
	"goated/ui/view"
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
	seconds := func(l view.Limit, usual time.Duration, set func(*view.Settings, view.Limit)) fyne.CanvasObject {
		return b.number(int(time.Duration(l)/time.Second), int(usual/time.Second), "s", 3600, func(n int) {
			next := b.w.settings
			set(&next, view.Limit(time.Duration(n)*time.Second))
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
			setting("Connecting a server", "From its start to its list of tools.", seconds(s.ConnectTimeout, client.DefaultConnectTimeout, func(n *view.Settings, l view.Limit) { n.ConnectTimeout = l })),
			setting("A tool call", "", seconds(s.CallTimeout, client.DefaultCallTimeout, func(n *view.Settings, l view.Limit) { n.CallTimeout = l }))),
		chapter("A turn", "A model that goes on calling tools is stopped, and you decide whether it goes on. New conversations use this.",
			setting("Requests to the model", "", b.number(s.MaxSteps, agent.DefaultMaxSteps, "", 200, func(n int) {
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
	return horizontal(8, nil, container.New(fixed{fyne.NewSize(92, 38)}, field), sized(10, 19, newLabel(unit, 13, colorMuted)))
}

func (b *settingsBook) lookPage() fyne.CanvasObject {
	w := b.w
	themes := []string{"", "light", "dark"}
	theme := newSegments("System", "Light", "Dark")
	for i, t := range themes {
		if t == w.settings.Theme {
			theme.set(i)
		}
	}
	theme.OnChoose = func(i int) { w.setTheme(themes[i]) }
	percent := newLabel(strconv.Itoa(w.settings.Percent())+" %", 13, colorText).medium()
	percent.centre = true
	zoom := horizontal(6, nil,
		newButton(outline, "hide", "", func() { w.zoom(-1) }).small(), sized(58, 28, percent),
		newButton(outline, "plus", "", func() { w.zoom(1) }).small(), newButton(ghost, "", "Reset", func() { w.zoom(0) }).small())
	return vertical(28,
		chapter("Colours", "", setting("Theme", "Takes effect at once.", theme.root)),
		chapter("Size", "", setting("Letters and everything else", "Also with "+held(fyne.KeyEqual).String()+", "+held(fyne.KeyMinus).String()+" and "+held(fyne.Key0).String()+".", zoom)))
}

func (b *settingsBook) approvalsPage() fyne.CanvasObject {
	list := vertical(8)
	var granted []string
	if b.w.options.Policy != nil {
		granted = b.w.options.Policy.Grants()
	}
	for _, name := range granted {
		words := newLabel(name, 13, colorText).mono().elided()
		revoke := newButton(outline, "", "Revoke", func() {
			b.w.options.Policy.Revoke(name)
			b.redo()
		}).small()
		list.Add(boxed(newPanel(colorSurface, colorBorder, 12), margin{8, 10, 8, 14},
			horizontal(10, words, newGlyph("shield", 16, colorAccent), words, revoke)))
	}
	if len(granted) == 0 {
		list.Add(emptyNote("shield", "Nothing is granted. Every tool asks before it runs, except goated's own that only read."))
	}
	return chapter("Tools that always run", "You chose \"Always allow\" for these. It holds until goated quits; a revoked tool asks again.", list)
}

// emptyNote stands where a list has nothing in it.
func emptyNote(icon, text string) fyne.CanvasObject {
	words := newText(text, 13, 20, colorMuted)
	return boxed(newPanel(colorSunken, colorNone, 12), margin{16, 18, 16, 16},
		container.New(row{gap: 12, flex: words, top: true}, sized(18, 20, newGlyph(icon, 18, colorFaint)), words))
}

func (b *settingsBook) serversPage() fyne.CanvasObject {
	w := b.w
	own := vertical(8)
	for _, name := range w.options.Bundled {
		on := true
		for _, off := range w.settings.BundledOff {
			on = on && off != name
		}
		o := newOption(boxMark, name, on, nil)
		o.OnChange = func() { w.change(w.settings.StartBundled(name, o.on)) }
		own.Add(o.root)
	}
	if len(w.options.Bundled) == 0 {
		own.Add(emptyNote("server", "This goated has no servers of its own."))
	}
	yours := vertical(8)
	for _, l := range w.settings.Launch {
		o := newOption(boxMark, launchLine(l), !l.Off, nil)
		o.OnChange = func() { w.change(w.settings.Start(l, o.on)) }
		remove := newButton(ghost, "trash", "", func() {
			w.change(w.settings.Drop(l))
			b.redo()
		}).small()
		w.tips.name(remove, "Take off this list", shortcut{})
		yours.Add(horizontal(8, o.root, o.root, remove))
	}
	if len(w.settings.Launch) == 0 {
		yours.Add(emptyNote("plug", "None yet. Look into a connected server and choose \"Start with goated\"."))
	}
	return vertical(28,
		chapter("goated's own servers", "Started with goated. A change counts from the next start.", own),
		chapter("Your servers", "", yours))
}

// launchLine is a server on one line, with its home folder as ~.
func launchLine(l view.Launch) string {
	return view.ServerCommand(client.Server{Path: l.Path, Args: l.Args})
}

func (b *settingsBook) dataPage() fyne.CanvasObject {
	w := b.w
	show := func(path string) fyne.CanvasObject {
		words := newText(path, 13, 19, colorText)
		words.style.Monospace = true
		return boxed(newPanel(colorSunken, colorBorder, 10), margin{10, 14, 10, 14}, words)
	}
	gap := func() *label { return newLabel("", 12, colorFaint).elided() }
	one, two := gap(), gap()
	return vertical(28,
		chapter("Data folder", "What goated keeps: its memory, its notes, the log. Nothing of it leaves this computer by itself.", show(w.options.DataDir),
			horizontal(8, one, newButton(outline, "folder", "Open folder", func() { w.reveal(w.options.DataDir) }),
				newButton(outline, "copy", "Copy path", func() { w.copy(w.options.DataDir) }), one)),
		chapter("Log", "One line of JSON for each error, with what was known. Keys are never in it.", show(w.options.LogFile),
			horizontal(8, two, newButton(outline, "external", "Open log", func() { w.reveal(w.options.LogFile) }),
				newButton(outline, "copy", "Copy path", func() { w.copy(w.options.LogFile) }), two)))
}

// reveal opens a file or a folder as the desktop does.
func (w *Window) reveal(path string) {
	u := &url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	w.begin(func() {
		if err := w.app.OpenURL(u); err != nil {
			w.post(func() { w.toasts.say("alert", fmt.Sprintf("It did not open: %v", err)) })
		}
	})
}
