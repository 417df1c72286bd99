package pagetest

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/ui/kit"
)

// An app is Fyne's current test app with a separate clipboard and separate settings. A new Fyne
// test app drops the typefaces that Fyne has parsed and the texts that it has measured. Parsing
// and measuring them again took a fifth of the CPU time of the window's tests.
type app struct {
	fyne.App
	clip     fyne.Clipboard
	settings *settings
}

// NewApp returns an app that is the current one until the test ends. It drops the windows of the
// previous app. Fyne's test driver assumes that the newest window is meant, and would redraw all
// windows for each new theme. Until the test sets a theme, the app has the one that the last test
// set. Tests with an app must not run in parallel.
func NewApp(t testing.TB) fyne.App {
	t.Helper()
	before := fyne.CurrentApp()
	forget(before.Driver())
	a := app{before, test.NewClipboard(), &settings{Settings: before.Settings()}}
	fyne.SetCurrentApp(a)
	t.Cleanup(func() {
		forget(a.Driver())
		fyne.SetCurrentApp(before)
	})
	return a
}

// forget removes the windows of a driver, except its own window, which is the first. It does not
// call OnClosed.
func forget(d fyne.Driver) {
	for {
		open := d.AllWindows()
		if len(open) < 2 {
			return
		}
		last := open[len(open)-1]
		last.SetOnClosed(nil)
		last.Close()
	}
}

func (a app) NewWindow(title string) fyne.Window { return a.Driver().CreateWindow(title) }
func (a app) Clipboard() fyne.Clipboard          { return a.clip }
func (a app) Settings() fyne.Settings            { return a.settings }

// settings hold the theme of one app. Fyne's caches belong to the theme of the embedded settings.
type settings struct {
	fyne.Settings
	theme fyne.Theme
}

func (s *settings) Theme() fyne.Theme {
	if s.theme == nil {
		return s.Settings.Theme()
	}
	return s.theme
}

// SetTheme drops Fyne's caches and redraws the windows. It does neither if a new app sets a theme
// that looks like the previous one.
func (s *settings) SetTheme(l fyne.Theme) {
	same := false
	was, before := s.Theme().(kit.Theme)
	now, is := l.(kit.Theme)
	if before && is {
		same = s.theme == nil && dark(was) == dark(now)
		if was.Measure != nil && now.Measure != nil {
			now.Measure.Share(was.Measure)
		}
	}
	s.theme = l
	if !same {
		s.Settings.SetTheme(l)
	}
}

// dark reports whether a theme is the dark one. No other field of a theme changes its look.
func dark(l kit.Theme) bool { return l.Dark != nil && *l.Dark }
