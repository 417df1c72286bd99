package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
)

// A pending is a calm line in place of an answer that has not begun. Its row exists from the
// start, so nothing moves when the text appears.
type pending struct {
	root, line *fyne.Container
	owner      *Transcript
	words      *kit.Label
	spin       *kit.Spinner
	item       view.Pending
}

func newPending(t *Transcript, item view.Pending) *pending {
	p := &pending{owner: t, item: item, words: kit.NewLabel("", 13, kit.ColorMuted).Elided(), spin: kit.NewSpinner(t.clock)}
	p.line = kit.Horizontal(9, p.words, p.spin, p.words)
	p.root = container.New(kit.Fixed{Min: fyne.NewSize(1, 24)}, p.line)
	p.spin.Unseen = func() bool { return !t.View.isListed(p.root) }
	p.spin.OnTurn = p.showWaitTime
	p.spin.SetRunning(true)
	p.showWaitTime()
	return p
}

// showWaitTime shows how long the user has been waiting.
func (p *pending) showWaitTime() {
	text := p.item.Text(p.owner.Actions.clock())
	p.words.Set(text)
	if p.line.Hidden != (text == "") {
		p.line.Hidden = text == ""
		p.owner.View.repaint()
	}
}

func (p *pending) Object() fyne.CanvasObject { return p.root }

func (p *pending) update(item view.Item) bool {
	next, ok := item.(view.Pending)
	if ok {
		p.item = next
		p.showWaitTime()
	}
	return ok
}
