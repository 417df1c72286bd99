package ui

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/debounce"
	"goated/ui/kit"
	"goated/ui/popup"
)

// An Answering makes the sessions of new conversations and describes their model.
type Answering struct {
	NewSession func() *agent.Session
	Model      string // label in the header
	Ref        config.ModelRef
	Notice     string // a sentence above the composer; may be empty
	KeyFrom    string // the source of the key, such as "keyring"; empty: no key
}

// preferences are the current settings. Its methods apply and save each change.
type preferences struct {
	win     *Window
	current config.Settings
	writer  *debounce.Writer[struct{}, config.Settings]
	remakes int // the number of the last call of Remake
	measure *kit.Measure
	icons   *kit.IconCache
	zoomed  zoomState
}

// zoomState is the size of the window after the last zoom.
type zoomState struct {
	size fyne.Size // in units of the canvas
	real fyne.Size // the same at a zoom of 100 %
	when time.Time
}

// settling is how long after a zoom the desktop may still report sizes that Fyne requested
// earlier. No user drags the edge of the window sooner.
const settling = time.Second

// isUnchanged reports whether the user has not resized the window since the last zoom. Then the
// window has the size that the zoom requested, or a larger one that its content needs.
func (z zoomState) isUnchanged(size, least fyne.Size, now time.Time) bool {
	if now.Sub(z.when) < settling {
		return true
	}
	near := func(want fyne.Size) bool {
		d := size.Subtract(want)
		return max(d.Width, -d.Width, d.Height, -d.Height) < 4
	}
	return near(z.size) || near(z.size.Max(least))
}

// savePause is the time during which fast changes become one write. Dragging the edge of the
// window, for example, changes the size many times.
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

// Edit changes the settings from outside the window, for example for "goated servers". written
// closes after they are written. After the window has closed, written stays open. Edit is safe
// to call from any goroutine.
func (w *Window) Edit(change func(config.Settings) config.Settings) (written <-chan struct{}) {
	done := make(chan struct{})
	w.tasks.post(func() {
		w.prefs.change(change(w.prefs.current))
		w.tasks.begin(func() {
			w.prefs.writer.Flush(w.tasks.ctx)
			close(done)
		})
	})
	return done
}

// change replaces the settings, queues the save, and applies the differences.
func (p *preferences) change(to config.Settings) {
	old := p.current
	p.current = to
	p.writer.Put(struct{}{}, to)
	p.win.servers.ForgetSecrets(old, to)
	p.win.pages.tools.Settle()
	if old.Dialogs != to.Dialogs {
		p.win.options.Dialogs.attention.set(func(a *attention) { a.prefs = to.Dialogs })
		if !to.Dialogs.Quiet {
			p.win.options.Dialogs.Release()
		}
		p.win.pages.updateQuestions()
	}
	if p.win.options.Host != nil && (old.ConnectTimeout != to.ConnectTimeout || old.CallTimeout != to.CallTimeout) {
		connect, call := time.Duration(to.ConnectTimeout), time.Duration(to.CallTimeout)
		p.win.tasks.begin(func() { p.win.options.Host.SetTimeouts(connect, call) })
	}
	if old.ChosenModel() != to.ChosenModel() || old.ContextLimit != to.ContextLimit || old.MaxSteps != to.MaxSteps || old.AnswerTimeout != to.AnswerTimeout || old.Thoughts != to.Thoughts {
		p.remakeSessions(nil)
	}
}

// remakeSessions calls Remake off the UI goroutine after the key, the model or a limit changed. It
// passes the error to then on the UI goroutine. then may be nil.
func (p *preferences) remakeSessions(then func(error)) {
	if p.win.options.Agent.Remake == nil {
		return
	}
	settings := p.current
	p.remakes++
	made := p.remakes
	p.win.tasks.begin(func() {
		a, err := p.win.options.Agent.Remake(p.win.tasks.ctx, settings)
		p.win.tasks.post(func() {
			if err == nil && made == p.remakes { // a later call takes precedence
				p.applyAnswering(a)
			}
			if then != nil {
				then(err)
			} else if err != nil {
				p.win.shell.Alert(err)
			}
		})
	})
}

// applyAnswering applies a. An empty conversation gets a new session from it. The other
// conversations keep their session and their model.
func (p *preferences) applyAnswering(a Answering) {
	p.win.options.Agent.NewSession = a.NewSession
	if p.win.options.Agent.Keys != nil {
		p.win.options.Agent.Keys.From = a.KeyFrom
	}
	for _, c := range p.win.chats.Chats {
		c.Adopt(a.NewSession)
	}
	p.win.options.Agent.Model, p.win.options.Agent.Ref = a.Model, a.Ref
	p.win.frame.models.showModel()
	p.win.frame.notice.Say(a.Notice)
	p.win.frame.layout()
	p.win.settingsPages.Redraw()
}

// setTheme switches to a theme immediately.
func (p *preferences) setTheme(name string) {
	s := p.current
	s.Theme = name
	p.change(s)
	p.applyTheme()
	p.win.settingsPages.Redraw()
}

// applyTheme applies the theme of the options. If they have none, it applies the theme of the
// settings.
func (p *preferences) applyTheme() {
	l := kit.Theme{Dark: p.win.options.Desktop.Dark, Measure: p.measure, Icons: p.icons, Menu: &kit.FieldMenu{Open: popup.Input}, OpenGL: p.win.options.Desktop.OpenGL}
	if l.Dark == nil && p.current.Theme != "" {
		dark := p.current.Theme == "dark"
		l.Dark = &dark
	}
	p.win.app.Settings().SetTheme(l)
}

// setText changes the text size of conversations immediately.
func (p *preferences) setText(size int) {
	p.change(p.current.WithText(size))
	p.win.chats.Transcript.View.Enlarge(p.current.TextGrowth())
	p.win.settingsPages.Redraw()
}

// zoom scales the window up or down by steps; 0 restores the default.
func (p *preferences) zoom(by int) {
	p.scale(p.current.WithZoomStep(by))
}

func (p *preferences) scale(s config.Settings) {
	if s.Zoom == p.current.Zoom {
		return
	}
	before := p.current.Percent()
	p.change(s)
	if p.win.options.Desktop.Scale != nil {
		size := p.win.frame.win.Canvas().Size()
		p.win.options.Desktop.Scale(s.Percent())
		p.applyTheme() // Fyne reads its scale when the theme changes
		// Without Resize below, Fyne would resize the window with its content.
		real := fyne.NewSize(size.Width*float32(before)/100, size.Height*float32(before)/100)
		if p.zoomed.isUnchanged(size, p.win.frame.root.MinSize(), p.win.shell.Now()) {
			real = p.zoomed.real // Fyne rounds sizes, so each step would drift otherwise
		}
		size = fyne.NewSize(real.Width*100/float32(s.Percent()), real.Height*100/float32(s.Percent()))
		p.zoomed = zoomState{size, real, p.win.shell.Now()}
		p.win.frame.win.Resize(size)
	}
	p.win.settingsPages.Redraw()
}
