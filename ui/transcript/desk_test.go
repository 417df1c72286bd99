package transcript

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/internal/pagetest"
	"goated/ui/kit"
	"goated/ui/view"
)

// A desk is a window that contains only a transcript. Work runs synchronously, unless a test sets
// Begin.
type desk struct {
	*pagetest.Desk
	page   *Transcript
	posted []func() // functions that the transcript's work posted, until drain runs them
	opened []string // addresses that the user pressed
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{Desk: pagetest.New(t, false, fyne.NewSize(1020, 700))}
	d.page = New(kit.NewClock(func(f func()) { d.posted = append(d.posted, f) }))
	d.page.On.Link = func(address string) { d.opened = append(d.opened, address) }
	d.page.On.Copy = func(text string) { d.Copied = text }
	d.Window.SetContent(container.New(kit.Margin{}, kit.NewPanel("background", kit.ColorNone, 0), d.page.Root))
	d.Window.Resize(fyne.NewSize(1020, 700))
	return d
}

// show shows a chat. running means that its last message may grow.
func (d *desk) show(chat view.Chat, running bool) {
	d.page.View.Live = running
	d.page.Show(chat)
}

// drain runs the functions that the transcript posted.
func (d *desk) drain() {
	for len(d.posted) > 0 {
		f := d.posted[0]
		d.posted = d.posted[1:]
		f()
	}
}

// middle is a position in the middle of the transcript.
var middle = fyne.NewPos(510, 350)

// scroll turns the mouse wheel. A positive by scrolls towards the beginning.
func (d *desk) scroll(by float32) { d.ScrollAt(middle, by) }

// toTop scrolls to the beginning.
func (d *desk) toTop() { d.scroll(1e9) }

// toEnd scrolls to the end and follows it.
func (d *desk) toEnd() { d.scroll(-1e9) }
