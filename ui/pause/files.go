package pause

import (
	"strings"

	"fyne.io/fyne/v2"

	"goated/internal/errtext"
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

func newFiles(c *card) *files {
	f := &files{card: c, chips: kit.Vertical(6)}
	f.chips.Hide()
	return f
}

// add adds files and shows them.
func (f *files) add(more []dialog.Attachment) {
	f.all = append(f.all, more...)
	f.draw()
}

// paste adds the picture on the clipboard.
func (f *files) paste() {
	if f.card.Files.Paste != nil {
		f.card.Files.Paste(f.add)
	}
}

func (f *files) draw() {
	f.chips.RemoveAll()
	f.chips.Hidden = len(f.all) == 0
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
	f.card.leaving.Edited()
	f.card.refit()
}

// pickButton returns the button that adds files, or nil if the dialog accepts none.
func (f *files) pickButton(text string) *kit.Button {
	if f.card.Files.Pick == nil {
		return nil
	}
	return kit.NewButton(kit.Outline, "clip", text, func() { f.card.Files.Pick(f.add) })
}

// screenshot is the dialog that asks for pictures, which the user pastes or chooses.
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
	s.note.OnTyped = c.leaving.Edited
	s.note.OnSubmit = s.ok.OnTapped
	ways, how := s.ways()
	parts := []fyne.CanvasObject{kit.NewText(how, 13, 20, kit.ColorMuted), flow(8, ways...)}
	s.box = newKeyBox(kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{Top: 14, Right: 14, Bottom: 14, Left: 14}, kit.Vertical(10, append(parts, s.files.chips)...)))
	s.box.onSubmit = s.ok.OnTapped
	s.box.onPaste = s.files.paste
	if f := c.Former; f != nil && !f.SwitchToText {
		s.note.Put(f.Context)
		s.files.add(f.Attachments)
	}
	return s
}

// ways returns the buttons that add pictures, and the sentence above the buttons.
func (s *screenshot) ways() (buttons []fyne.CanvasObject, how string) {
	from := s.files.card.Files
	if from.Capture != nil {
		buttons = append(buttons, kit.NewButton(kit.Outline, "picture", "Mark a region…", func() { from.Capture(s.files.add) }))
	}
	if pick := s.files.pickButton("Choose a picture…"); pick != nil {
		buttons = append(buttons, pick)
	}
	var all []string
	if from.Paste != nil {
		all = append(all, "paste it with Ctrl+V")
	}
	if from.Read != nil {
		all = append(all, "drop it here")
	}
	if from.Capture != nil {
		all = append(all, "mark a region of the screen")
	}
	how = "Choose a picture."
	if len(all) > 0 {
		how = "Choose a picture, or " + strings.Join(all, ", or ") + "."
	}
	if from.Capture == nil && from.Blind != "" {
		how += " " + errtext.Sentence(from.Blind)
	}
	if from.Capture != nil {
		how += " goated hides meanwhile; Esc brings it back."
	}
	return buttons, how
}

func (s *screenshot) root() fyne.CanvasObject {
	return described(s.q.Description, kit.Vertical(12, s.box, kit.NewField(s.note)))
}
func (s *screenshot) first() fyne.Focusable        { return s.box }
func (s *screenshot) buttons() []fyne.CanvasObject { return []fyne.CanvasObject{s.ok} }
func (s *screenshot) hint() string                 { return "Ctrl+V pastes a picture · Ctrl+Enter sends" }
func (s *screenshot) answer() dialog.Answer {
	return dialog.Answer{Attachments: s.files.all, Context: s.note.Text}
}
