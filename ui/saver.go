package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/debounce"
	"goated/ui/kit"
)

// An Answering makes new conversations and describes their model.
type Answering struct {
	NewSession func() *agent.Session
	Model      string // label in the header
	Notice     string // a sentence above the composer; may be empty
	KeyFrom    string // the source of the key, such as "keyring"; empty: no key
}

// savePause is the time in which fast changes become one write, such as the
// sizes of a window during a drag.
const savePause = 300 * time.Millisecond

// newSettingsWriter writes the settings with save, off the UI goroutine. If save
// is nil, it writes nothing. fail reports an error of save.
func newSettingsWriter(save func(config.Settings) error, fail func(error)) *debounce.Writer[struct{}, config.Settings] {
	return debounce.New(debounce.Options[struct{}, config.Settings]{
		Write: func(_ context.Context, _ struct{}, s config.Settings) error {
			if save == nil {
				return nil
			}
			return save(s)
		},
		Fail:  fail,
		Pause: savePause,
	})
}

// change replaces the settings, queues the save, and applies the differences.
func (w *Window) change(to config.Settings) {
	old := w.settings
	w.settings = to
	w.saver.Put(struct{}{}, to)
	w.ForgetSecrets(old, to)
	if w.options.Host != nil && (old.ConnectTimeout != to.ConnectTimeout || old.CallTimeout != to.CallTimeout) {
		connect, call := time.Duration(to.ConnectTimeout), time.Duration(to.CallTimeout)
		w.begin(func() { w.options.Host.SetTimeouts(connect, call) })
	}
	if old.Model != to.Model || old.MaxSteps != to.MaxSteps || old.Thoughts != to.Thoughts {
		w.remake(nil)
	}
}

// remake calls Remake off the UI goroutine, after the key, the model or a limit
// changed. then may be nil; it receives the error on the UI goroutine.
func (w *Window) remake(then func(error)) {
	if w.options.Remake == nil {
		return
	}
	settings := w.settings
	w.remakes++
	made := w.remakes
	w.begin(func() {
		a, err := w.options.Remake(w.ctx, settings)
		w.post(func() {
			if err == nil && made == w.remakes { // a later call wins
				w.answering(a)
			}
			if then != nil {
				then(err)
			} else if err != nil {
				w.alert(err)
			}
		})
	})
}

// answering applies a. An empty conversation gets a new session from it; the
// others keep theirs.
func (w *Window) answering(a Answering) {
	w.options.NewSession = a.NewSession
	if w.options.Keys != nil {
		w.options.Keys.From = a.KeyFrom
	}
	for _, c := range w.Chats {
		if c.Blank() {
			c.Session = a.NewSession()
		}
	}
	w.model.SetText(a.Model)
	w.notice.Say(a.Notice)
	w.layoutPage()
	w.settingsPages.Redraw()
}

// setTheme changes the colours at once.
func (w *Window) setTheme(name string) {
	s := w.settings
	s.Theme = name
	w.change(s)
	w.applyTheme()
	w.settingsPages.Redraw()
}

// applyTheme applies the theme of the options, else the one of the settings.
func (w *Window) applyTheme() {
	l := kit.Theme{Dark: w.options.Dark, Measure: w.measure, Icons: w.icons}
	if l.Dark == nil && w.settings.Theme != "" {
		dark := w.settings.Theme == "dark"
		l.Dark = &dark
	}
	w.app.Settings().SetTheme(l)
}

// setText changes the text size of conversations at once.
func (w *Window) setText(size int) {
	w.change(w.settings.WithText(size))
	w.Transcript.View.Enlarge(w.settings.Growth())
	w.settingsPages.Redraw()
}

// zoom scales the window up or down by steps; 0 restores the default.
func (w *Window) zoom(by int) {
	w.scale(w.settings.Zoomed(by))
}

func (w *Window) scale(s config.Settings) {
	if s.Zoom == w.settings.Zoom {
		return
	}
	before := w.settings.Percent()
	w.change(s)
	if w.options.Scale != nil {
		size := w.win.Canvas().Size()
		w.options.Scale(s.Percent())
		w.applyTheme() // Fyne reads its scale when the theme changes
		// Fyne would resize the window with its content.
		ratio := float32(before) / float32(s.Percent())
		w.win.Resize(fyne.NewSize(size.Width*ratio, size.Height*ratio))
	}
	w.settingsPages.Redraw()
}
