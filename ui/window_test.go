package ui

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/richtext"
	"goated/ui/transcript"
)

// A desk is a window under test. What the window posts runs on the test's own
// goroutine, so that nothing races: Fyne's test driver has no UI goroutine.
type desk struct {
	*Window
	t     testing.TB
	queue chan func()
	clock time.Time
}

func newDesk(t testing.TB, o Options) *desk {
	t.Helper()
	app := test.NewTempApp(t)
	d := &desk{t: t, queue: make(chan func(), 1000), clock: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	if o.Agent.NewSession == nil {
		o.Agent.NewSession = func() *agent.Session { return &agent.Session{} }
	}
	if o.Agent.Model == "" {
		o.Agent.Model = "gemini-flash-latest"
	}
	d.Window = newWindow(app, o, func(f func()) { d.queue <- f })
	d.SetNow(func() time.Time { return d.clock })
	d.frame.win.Resize(fyne.NewSize(1280, 840))
	return d
}

// show starts the window's goroutines, and stops them when the test ends.
func (d *desk) show() {
	d.Show()
	d.t.Cleanup(d.Close)
}

// until runs what is posted until cond holds.
func (d *desk) until(what string, cond func() bool) {
	d.t.Helper()
	deadline := time.After(20 * time.Second)
	for !cond() {
		select {
		case f := <-d.queue:
			f()
		case <-deadline:
			d.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// coloured waits until no listing waits for its colours.
func (d *desk) coloured() {
	d.t.Helper()
	d.until("listings have their colours", func() bool { return len(d.chats.Transcript.Colours.Waiting) == 0 })
}

// beats lets the clock tick.
func (d *desk) beats(n int) {
	for range n {
		d.Window.shell.Clock.Tick(1)
	}
}

// find returns the first object of a kind on the top layer for which ok holds.
func find[T fyne.CanvasObject](d *desk, ok func(T) bool) (found T, is bool) {
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		if is || !o.Visible() {
			return
		}
		if v, fits := o.(T); fits && ok(v) {
			found, is = v, true
			return
		}
		switch o := o.(type) {
		case *fyne.Container:
			for _, child := range o.Objects {
				walk(child)
			}
		case fyne.Widget:
			for _, child := range test.WidgetRenderer(o).Objects() {
				walk(child)
			}
		}
	}
	walk(d.front())
	return found, is
}

// front is the top layer of the window: a menu or the like if one is open.
func (d *desk) front() fyne.CanvasObject {
	c := d.frame.win.Canvas()
	if top := c.Overlays().Top(); top != nil {
		return top
	}
	return c.Content()
}

// button is the button with that text on the top layer, or a later one of them.
func (d *desk) button(text string, later ...int) *kit.Button {
	d.t.Helper()
	n := 0
	b, ok := find(d, func(b *kit.Button) bool {
		if b.Text == text {
			n++
		}
		return b.Text == text && (len(later) == 0 || n == later[0]+1)
	})
	if !ok {
		d.t.Fatalf("there is no button %q", text)
	}
	return b
}

// reads reports whether the top layer has a text that is text.
func (d *desk) reads(text string) bool {
	_, prose := find(d, func(p *kit.Paragraph) bool { return richtext.PlainText(p.Spans) == text })
	_, passage := find(d, func(p *transcript.TextView) bool { return p.Block.Text() == text })
	_, label := find(d, func(l *kit.Label) bool { return l.Text == text })
	return prose || passage || label
}

func schema(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

var errBoom = errors.New("the model can't be reached: connection refused")

// toTop goes to the beginning.
func toTop(t *transcript.Transcript) { t.View.GoTo(0) }

func press(f fyne.Focusable, key fyne.KeyName) { f.TypedKey(&fyne.KeyEvent{Name: key}) }
