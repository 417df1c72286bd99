package pause

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/view/format"
)

// singleChoice is the dialog for a single choice. Enter sends the answer.
type singleChoice struct {
	card *card
	q    *dialog.SingleChoice
	list *options
	ok   *kit.Button
}

func newSingleChoice(c *card, q *dialog.SingleChoice) *singleChoice {
	s := &singleChoice{card: c, q: q, list: newOptions(q.Options, false, 1)}
	s.ok = kit.NewButton(kit.Primary, "check", "Choose", func() { c.submit(s.answer()) }).Keyed("Enter")
	s.list.onSubmit = s.ok.OnTapped
	s.list.changed = func() { c.leaving.Edited(); s.ok.SetEnabled(len(s.list.chosen()) == 1) }
	s.list.choose(q.DefaultValue)
	if c.Former != nil {
		s.list.choose(c.Former.Choice)
	}
	s.list.tell()
	return s
}

func (s *singleChoice) root() fyne.CanvasObject      { return described(s.q.Description, s.list) }
func (s *singleChoice) first() fyne.Focusable        { return s.list }
func (s *singleChoice) buttons() []fyne.CanvasObject { return []fyne.CanvasObject{s.ok} }

func (s *singleChoice) hint() string { return s.list.numbers() + " · Enter answers" }

func (s *singleChoice) answer() dialog.Answer {
	var a dialog.Answer
	if chosen := s.list.chosen(); len(chosen) == 1 {
		a.Choice = chosen[0]
	}
	return a
}

// multiChoice is the dialog for several choices.
type multiChoice struct {
	card  *card
	q     *dialog.MultiChoice
	list  *options
	count *kit.Paragraph
	ok    *kit.Button
}

func newMultiChoice(c *card, q *dialog.MultiChoice) *multiChoice {
	least, most := q.Range()
	m := &multiChoice{card: c, q: q, list: newOptions(q.Options, true, most), count: kit.NewText("", 12, 18, kit.ColorMuted)}
	m.ok = kit.NewButton(kit.Primary, "check", "Choose", func() { c.submit(m.answer()) }).Keyed("Enter")
	m.list.onSubmit = m.ok.OnTapped
	m.list.changed = func() {
		c.leaving.Edited()
		n := len(m.list.chosen())
		m.ok.SetEnabled(n >= least && n <= most)
		said := fmt.Sprintf("%s. %s", format.Plural(n, "%d chosen", "%d chosen"), limits(least, most, len(q.Options)))
		if len(q.Options) > 9 {
			said += " The arrow keys and Space choose, too."
		}
		m.count.SetText(said)
	}
	former := c.Former != nil && !c.Former.SwitchToText
	for _, o := range q.Options {
		if former && slices.Contains(c.Former.Choices, o.Value) || !former && o.Checked {
			m.list.choose(o.Value)
		}
	}
	m.list.tell()
	return m
}

// limits describes how many options the user may choose.
func limits(least, most, all int) string {
	switch {
	case least == most:
		return fmt.Sprintf("Choose %d.", least)
	case least > 0 && most < all:
		return fmt.Sprintf("Choose %d to %d.", least, most)
	case least > 0:
		return fmt.Sprintf("Choose at least %d.", least)
	case most < all:
		return fmt.Sprintf("Choose at most %d.", most)
	}
	return "Choose any number."
}

func (m *multiChoice) root() fyne.CanvasObject {
	return kit.Vertical(10, described(m.q.Description, m.list), m.count)
}
func (m *multiChoice) first() fyne.Focusable        { return m.list }
func (m *multiChoice) buttons() []fyne.CanvasObject { return []fyne.CanvasObject{m.ok} }
func (m *multiChoice) hint() string                 { return m.list.numbers() + " · Enter answers" }
func (m *multiChoice) answer() dialog.Answer        { return dialog.Answer{Choices: m.list.chosen()} }

// described puts a description in Markdown above a part of a dialog.
func described(description string, part fyne.CanvasObject) fyne.CanvasObject {
	if description == "" {
		return part
	}
	return kit.Vertical(12, markdown.Text(description), part)
}
