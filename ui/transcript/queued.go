package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
)

// A QueueHandlers receives the user's actions on messages that wait for the end of the turn. The
// id is the one in [view.Queued].
type QueueHandlers struct {
	Edit func(id, index int)
	Drop func(id int)
}

// A queued is a message that waits. It has an outline and a clock.
type queued struct {
	root *fyne.Container
	fold *fold
	at   int
	item view.Queued
	t    *Transcript
}

func newQueued(t *Transcript, i int, item view.Queued) *queued {
	q := &queued{t: t, at: i, item: item, fold: newFold(t, i, item.Text)}
	ground := kit.NewPanel(kit.ColorNone, kit.ColorEdge, 18)
	ground.Sharp = true
	bubble := container.New(kit.Margin{}, ground, kit.Inset(kit.Margin{Top: 9, Right: 16, Bottom: 9, Left: 16}, q.fold.root))
	edit := kit.NewButton(kit.Ghost, "pencil", "", func() { t.On.Queue.Edit(q.item.ID, q.at) }).Small()
	drop := kit.NewButton(kit.Ghost, "close", "", func() { t.On.Queue.Drop(q.item.ID) }).Small()
	note := kit.Horizontal(6, nil, kit.NewIcon("clock", 14, kit.ColorFaint), kit.NewLabel("Sent when the answer ends", 12, kit.ColorFaint), edit, drop)
	q.root = container.New(kit.Margin{}, container.New(queuedLayout{q.fold}, note, bubble))
	return q
}

func (q *queued) Object() fyne.CanvasObject { return q.root }

func (q *queued) update(item view.Item) bool {
	next, ok := item.(view.Queued)
	if ok && next != q.item {
		q.item = next
		q.fold.put(next.Text)
	}
	return ok
}

func (q *queued) keepsState() bool { return q.t.isEditing(q.at) }

func (q *queued) Reveal(from, to, _, width float32) (height, shift float32) {
	if !q.keepsState() {
		q.fold.text.Reveal(from, to)
	}
	return kit.HeightOf(q.root, width), 0
}

// queuedLayout places the bubble at the right and the note to its left. If they do not fit, the
// note goes above the bubble.
type queuedLayout struct{ fold *fold }

func (l queuedLayout) measure(objects []fyne.CanvasObject, width float32) (note fyne.Size, bubble float32, above bool) {
	note = objects[0].MinSize()
	bubble = bubbleLayout(l).width(width)
	return note, bubble, note.Width+bubble+12 > width
}

func (l queuedLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	note, w, above := l.measure(objects, size.Width)
	h := kit.HeightOf(objects[1], w)
	y := (size.Height - note.Height) / 2
	x := size.Width - w - 12 - note.Width
	if above {
		x, y = size.Width-note.Width, 0
	}
	kit.Place(objects[0], x, y, note.Width, note.Height)
	kit.Place(objects[1], size.Width-w, size.Height-h, w, h)
}

func (l queuedLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	note, w, above := l.measure(objects, width)
	h := kit.HeightOf(objects[1], w)
	if above {
		return h + note.Height + 4
	}
	return max(h, note.Height)
}

func (queuedLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 40) }
