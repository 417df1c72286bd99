package transcript

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/textview"
	"goated/ui/view"
	md "goated/ui/view/markdown"
)

// A summary tells the user that the model receives a summary of the messages above. It is
// initially closed. The user can read it and undo it.
type summary struct {
	root, body *fyne.Container
	owner      *Transcript
	text       *textview.View
	read, undo *kit.Button
	at         int
	item       view.Summary
	open       bool
}

func newSummary(t *Transcript, i int, item view.Summary) *summary {
	s := &summary{owner: t, at: i, item: item}
	s.text = t.newTextView(i, 0, summaryBlock(item), markdown.Style{TextSize: 13, Leading: 20, Ink: kit.ColorText})
	s.body = kit.Inset(kit.Margin{Top: 10, Right: 4, Bottom: 2, Left: 26}, s.text)
	s.body.Hide()
	s.read = kit.NewButton(kit.Outline, "", "Read", s.toggle).Small()
	s.undo = kit.NewButton(kit.Ghost, "", "Undo", func() { t.On.Context.Undo(s.at) }).Small()
	note := kit.NewText(item.Note, 13, 20, kit.ColorMuted)
	head := container.New(kit.Row{Gap: 10, Flex: note}, kit.Sized(16, 20, kit.NewIcon("list", 16, kit.ColorAccent)), note, s.read, s.undo)
	s.root = kit.Boxed(kit.NewPanel(kit.ColorNone, kit.ColorBorder, 12), kit.Margin{Top: 8, Right: 10, Bottom: 8, Left: 14}, kit.Vertical(0, head, s.body))
	s.mark()
	return s
}

// summaryBlock returns a summary as one block.
func summaryBlock(item view.Summary) md.Block {
	return md.Gather(md.Parse(strings.TrimSpace(item.Text)))
}

// mark shows the Undo button only while the summary is in force.
func (s *summary) mark() {
	s.undo.Hidden = s.item.Undone || s.owner.On.Context.Undo == nil || !view.InForce(s.owner.View.Items, s.at) && s.at < len(s.owner.View.Items)
	s.root.Refresh()
}

func (s *summary) toggle() {
	s.open = !s.open
	s.body.Hidden = !s.open
	s.read.SetText(map[bool]string{true: "Close", false: "Read"}[s.open])
	s.owner.View.Stick = false // keeps the pressed button in place
	s.owner.View.refit()
}

func (s *summary) keepsState() bool          { return s.open }
func (s *summary) Object() fyne.CanvasObject { return s.root }

func (s *summary) update(item view.Item) bool {
	next, ok := item.(view.Summary)
	if ok && next != s.item {
		s.item = next
		s.text.Put(summaryBlock(next), md.Growth{})
		s.mark()
	}
	return ok
}

func (s *summary) Reveal(from, to, _, width float32) (height, shift float32) {
	s.mark()
	if s.open {
		s.text.Reveal(from-46, to-46)
	}
	return kit.HeightOf(s.root, width), 0
}
