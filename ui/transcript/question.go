package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/view"
)

// A questionRow is the row of an open question. The owner of the question draws it.
type questionRow struct {
	root *fyne.Container
	id   int
}

func newQuestionRow(t *Transcript, item view.Question) *questionRow {
	a := &questionRow{root: container.New(kit.Margin{}), id: item.ID}
	if t.On.Question != nil {
		if o := t.On.Question(item.ID); o != nil {
			a.root.Add(o)
		}
	}
	return a
}

func (a *questionRow) Object() fyne.CanvasObject { return a.root }

func (a *questionRow) update(item view.Item) bool {
	q, ok := item.(view.Question)
	return ok && q.ID == a.id
}

func (a *questionRow) keepsState() bool { return true }

// Refit arranges the rows again after the height of one changed.
func (v *viewport) Refit() { v.refit() }
