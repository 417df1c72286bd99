package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// A forgetfulApp acts like Fyne after a long frame: its driver has no canvas for any object.
type forgetfulApp struct {
	fyne.App
	windows []fyne.Window
}

func (a *forgetfulApp) Driver() fyne.Driver { return forgetfulDriver{a.App.Driver(), a.windows} }

type forgetfulDriver struct {
	fyne.Driver
	windows []fyne.Window // without the windows of other tests
}

func (d forgetfulDriver) AllWindows() []fyne.Window { return d.windows }

func (forgetfulDriver) CanvasForObject(fyne.CanvasObject) fyne.Canvas { return nil }

// A key, a shortcut or a character that the focused widget does not use reaches the window even
// if Fyne has forgotten the widget's canvas. Previously, Escape closed nothing then.
func TestKeysReachTheWindowAfterALongFrame(t *testing.T) {
	app := test.NewTempApp(t)
	forgetful := &forgetfulApp{App: app}
	fyne.SetCurrentApp(forgetful)
	defer fyne.SetCurrentApp(app)
	if CanvasOf(NewPanel(ColorSoft, ColorNone, 0)) != nil {
		t.Error("there is a canvas without a window")
	}
	w := app.NewWindow("")
	defer w.Close()
	forgetful.windows = []fyne.Window{w}
	var key fyne.KeyName
	var char rune
	shortcut := false
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { key = e.Name })
	w.Canvas().SetOnTypedRune(func(r rune) { char = r })
	w.Canvas().AddShortcut(&fyne.ShortcutPaste{}, func(fyne.Shortcut) { shortcut = true })
	p := NewText("a", 12, 18, ColorText)
	w.SetContent(p)
	PassKey(p, &fyne.KeyEvent{Name: fyne.KeyEscape})
	PassRune(p, '1')
	PassShortcut(p, &fyne.ShortcutPaste{})
	if key != fyne.KeyEscape || char != '1' || !shortcut {
		t.Errorf("the window gets key %q, character %q and a shortcut: %t", key, char, shortcut)
	}
	p.MouseDown(&desktop.MouseEvent{Button: desktop.MouseButtonPrimary})
	if w.Canvas().Focused() != fyne.Focusable(p) {
		t.Error("a press does not focus the text")
	}
}
