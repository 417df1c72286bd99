package modelmenu

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// maxInstructions is the maximal length of instructions, in characters.
const maxInstructions = 8000

// Instructions returns the sheet in which the user writes instructions for all conversations and
// for one. save receives both. The caller closes the sheet.
func Instructions(c *kit.Clock, all, one string, save func(all, one string), closed func()) *kit.Sheet {
	field := func(placeholder, text string) (*kit.Input, *fyne.Container) {
		in := kit.NewInput(c, placeholder, true)
		in.SetMinRowsVisible(5)
		in.Wrapping = fyne.TextWrapWord
		in.Put(text)
		return in, kit.NewField(in)
	}
	forAll, allField := field("Such as: Answer in short sentences. I work in UTC+1.", all)
	forOne, oneField := field("Such as: This is about the trip to Vienna. Prices in euros.", one)
	problem := kit.NewLabel("", 12, kit.ColorBad).Elided()
	submit := func() {
		a, o := strings.TrimSpace(forAll.Text), strings.TrimSpace(forOne.Text)
		if max(utf8.RuneCountInString(a), utf8.RuneCountInString(o)) > maxInstructions {
			problem.Set("At most 8,000 characters each: the model reads them with every message.")
			return
		}
		save(a, o)
	}
	body := kit.Vertical(22,
		kit.Section("For every conversation", "The model gets them with each of your messages.", allField),
		kit.Section("For this conversation", "If they contradict those for every conversation, they win.", oneField))
	foot := container.New(kit.Row{Gap: 8, Flex: problem}, problem, kit.NewButton(kit.Outline, "", "Cancel", closed), kit.NewButton(kit.Primary, "check", "Save", submit))
	s := kit.NewSheet(600, "Custom instructions", body, foot)
	s.OnClose = closed
	s.First = forOne
	s.Holds = kit.Typed(forAll, forOne)
	return s
}
