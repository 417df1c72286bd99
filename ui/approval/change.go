package approval

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/consent"
	"goated/internal/safetext"
	"goated/ui/kit"
)

// DrawDifference draws how a tool differs from the one that the user allowed. If version is true,
// it includes the version. A card for a single call shows the version in its head instead.
func DrawDifference(d *consent.Difference, version bool) fyne.CanvasObject {
	out := kit.Vertical(6)
	out.Add(kit.NewText(fmt.Sprintf("You chose “Always” for it on %s. Since then it changed, so goated asks again. What is different:", d.Was.At.Local().Format("2 January 2006")), 13, 20, kit.ColorMuted))
	part := func(title string, lines []consent.Line, unchanged string) {
		if lines == nil {
			return
		}
		out.Add(kit.NewLabel(title, 12, kit.ColorMuted).Medium())
		out.Add(drawLines(lines, unchanged))
	}
	part("How it starts", d.Start, "")
	if version && d.Was.Version != d.Now.Version {
		part("Version", []consent.Line{{Op: '-', Text: d.Was.Version}, {Op: '+', Text: d.Now.Version}}, "")
	}
	if d.Code {
		out.Add(kit.NewText(d.CodeChange(), 13, 20, kit.ColorText))
	}
	part("Title", d.Title, "")
	part("Description", d.Description, "")
	part("What its server tells the model", d.Instructions, "")
	part("Effects", d.Effects, "")
	unchanged := ""
	if len(d.Unchanged) > 0 {
		unchanged = safetext.Cut(strings.Join(d.Unchanged, ", "), 200) + "  unchanged"
	}
	part("Inputs", d.Inputs, unchanged)
	if d.Hidden > 0 {
		words := fmt.Sprintf("%d hidden characters in the new text. They can make text read differently from what the model receives. goated marks them like ⟨U+202E⟩.", d.Hidden)
		if d.Hidden == 1 {
			words = "1 hidden character in the new text. It can make text read differently from what the model receives. goated marks it like ⟨U+202E⟩."
		}
		text := kit.NewText(words, 13, 20, kit.ColorText)
		out.Add(kit.Boxed(kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 9), kit.Margin{Top: 9, Right: 12, Bottom: 9, Left: 12},
			container.New(kit.Row{Gap: 10, Flex: text, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorWarn)), text)))
	}
	return out
}

// maxShown limits the number of shown lines of a difference.
const maxShown = 60

// drawLines draws the lines of a difference, each on a coloured background.
func drawLines(lines []consent.Line, unchanged string) fyne.CanvasObject {
	list := kit.Vertical(0)
	for i, l := range lines {
		if i == maxShown {
			list.Add(diffLine(' ', fmt.Sprintf("… %d more lines", len(lines)-maxShown)))
			break
		}
		text := safetext.OneLine(l.Text)
		if l.Name != "" {
			text = safetext.Name(l.Name) + "  " + text
		}
		if l.New {
			text += "  (new)"
		}
		list.Add(diffLine(l.Op, text))
	}
	if unchanged != "" {
		list.Add(diffLine(' ', unchanged))
	}
	return kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 9), kit.Margin{Top: 5, Right: 1, Bottom: 5, Left: 1}, list)
}

func diffLine(op byte, text string) fyne.CanvasObject {
	ground, ink, mark := kit.ColorNone, kit.ColorMuted, " "
	switch op {
	case '-':
		ground, ink, mark = kit.ColorBadSoft, kit.ColorText, "−"
	case '+':
		ground, ink, mark = kit.ColorSoft, kit.ColorText, "+"
	}
	words := kit.NewText(text, 12, 18, ink)
	words.Style.Monospace = true
	return kit.Boxed(kit.NewPanel(ground, kit.ColorNone, 0), kit.Margin{Top: 1, Right: 10, Bottom: 1, Left: 12},
		container.New(kit.Row{Gap: 8, Flex: words, Top: true}, kit.Sized(10, 18, kit.NewLabel(mark, 12, ink).Mono()), words))
}
