package pause

import (
	"fyne.io/fyne/v2"

	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/view/format"
)

// files are the attachments of an answer.
type files struct {
	card    *card
	all     []dialog.Attachment
	chips   *fyne.Container
	changed func()
}

func newFiles(c *card) *files { return &files{card: c, chips: kit.Vertical(6)} }

// add adds files and shows them.
func (f *files) add(more []dialog.Attachment) {
	f.all = append(f.all, more...)
	f.draw()
}

// paste adds the picture of the clipboard. It reports whether there is one.
func (f *files) paste() bool {
	if f.card.Paste == nil {
		return false
	}
	picture, ok := f.card.Paste()
	if ok {
		f.add([]dialog.Attachment{picture})
	}
	return ok
}

func (f *files) draw() {
	f.chips.RemoveAll()
	for i, file := range f.all {
		name := kit.NewLabel(safetext.Name(file.Name), 13, kit.ColorText).Elided()
		remove := kit.NewButton(kit.Ghost, "close", "", func() {
			f.all = append(f.all[:i:i], f.all[i+1:]...)
			f.draw()
		}).Small()
		f.chips.Add(kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 8), kit.Margin{Top: 4, Right: 6, Bottom: 4, Left: 12},
			kit.Horizontal(8, name, kit.NewIcon("image", 16, kit.ColorMuted), name, kit.NewLabel(format.Size(int64(len(file.Data))), 12, kit.ColorFaint), remove)))
	}
	if f.changed != nil {
		f.changed()
	}
	if f.card.sheet != nil {
		f.card.sheet.Refit()
	}
}

// pickButton returns the button that adds files, or nil if the dialog takes none.
func (f *files) pickButton(text string) *kit.Button {
	if f.card.Pick == nil {
		return nil
	}
	return kit.NewButton(kit.Outline, "clip", text, func() { f.card.Pick(f.add) })
}

// screenshot is the dialog that asks for pictures: pasted or chosen.
type screenshot struct {
	q     *dialog.Screenshot
	files *files
	box   *keyBox
	note  *kit.Input
	ok    *kit.Button
}

func newScreenshot(c *card, q *dialog.Screenshot) *screenshot {
	s := &screenshot{q: q, files: newFiles(c), note: kit.NewInput(c.sh.Clock, "Anything to add", false)}
	s.ok = kit.NewButton(kit.Primary, "check", "Send", func() { c.submit(s.answer()) }).Keyed("Ctrl+Enter")
	s.files.changed = func() { s.ok.SetEnabled(len(s.files.all) > 0) }
	s.files.changed()
	s.note.OnSubmit = s.ok.OnTapped
	how := "Choose a picture of your screen."
	if c.Paste != nil {
		how = "Take a screenshot and paste it with Ctrl+V, or choose a picture."
	}
	parts := []fyne.CanvasObject{kit.NewText(how, 13, 20, kit.ColorMuted)}
	if pick := s.files.pickButton("Choose a picture…"); pick != nil {
		parts = append(parts, kit.Horizontal(8, nil, pick))
	}
	s.box = newKeyBox(kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{Top: 14, Right: 14, Bottom: 14, Left: 14}, kit.Vertical(10, append(parts, s.files.chips)...)))
	s.box.onSubmit = s.ok.OnTapped
	s.box.onPaste = func() {
		if !s.files.paste() {
			c.sh.Toasts.Say("image", "The clipboard has no picture.")
		}
	}
	return s
}

func (s *screenshot) root() fyne.CanvasObject {
	return described(s.q.Description, kit.Vertical(12, s.box, kit.NewField(s.note)))
}
func (s *screenshot) first() fyne.Focusable        { return s.box }
func (s *screenshot) buttons() []fyne.CanvasObject { return []fyne.CanvasObject{s.ok} }
func (s *screenshot) answer() dialog.Answer {
	return dialog.Answer{Attachments: s.files.all, Context: s.note.Text}
}
