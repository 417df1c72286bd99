package approval

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/shell"
)

// An Again is a question in the transcript. It asks whether to answer a message again, after its
// server got a permission that a call lacked, or whether to run a call again. Its methods belong
// to the UI goroutine.
type Again struct {
	guard
	preview, who, hint string // see [shell.Card]
	root               *fyne.Container
	answer             func(again bool)
}

// NewAgain returns the card. It calls answer once.
func NewAgain(sh *shell.Shell, server string, count *shell.Counter, answer func(again bool)) *Again {
	a := &Again{
		guard: guard{sh: sh, since: sh.Now()}, answer: answer,
		preview: fmt.Sprintf("%s has the permission now.", safetext.Name(server)), who: "Try again", hint: "Ctrl+Enter tries again · Esc: not now",
	}
	icon := kit.NewIcon("check", 16, kit.ColorGood)
	a.draw(icon, "Its call failed before. Try again asks the model for a new answer, with a new call.", count, "Not now", "Try again")
	return a
}

// draw builds the card: an icon, the preview as its title, an explanation, and the two buttons.
func (a *Again) draw(icon fyne.CanvasObject, about string, count *shell.Counter, refuse, agree string) {
	badge := container.New(kit.Fixed{Min: fyne.NewSize(30, 30)}, kit.NewPanel(kit.ColorSoft, kit.ColorNone, 8), icon)
	title := kit.NewText(a.preview, 14, 21, kit.ColorText)
	title.Style.Bold = true
	words := kit.Vertical(6, title, kit.NewText(about, 13, 20, kit.ColorMuted))
	body := kit.Inset(kit.Margin{Top: 14, Right: 16, Bottom: 12, Left: 10}, container.New(kit.Row{Gap: 12, Flex: words, Top: true}, badge, words))
	no := kit.NewButton(kit.Outline, "", refuse, a.Decline).Keyed("Esc")
	yes := kit.NewButton(kit.Primary, "", agree, a.Accept).Keyed("Ctrl+Enter")
	panel := kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 12)
	panel.Shadow = true
	a.root = container.New(kit.Margin{}, panel, kit.Vertical(0, body, kit.Inset(kit.Margin{Right: 12, Bottom: 12, Left: 15}, shell.Foot(count, no, yes))))
}

func (a *Again) give(again bool) {
	if a.open() {
		a.done = true
		a.answer(again)
	}
}

// Object returns the widget of the card.
func (a *Again) Object() fyne.CanvasObject { return a.root }

// Preview returns a short text for the list of conversations.
func (a *Again) Preview() string { return a.preview }

// Listed returns the entry for the list of waiting questions.
func (a *Again) Listed() shell.Entry {
	return shell.Entry{Icon: "retry", Who: a.who, What: safetext.Cut(a.Preview(), shell.MaxWhat)}
}

// Hint describes the keys.
func (a *Again) Hint() string { return a.hint }

// Accept answers the message again, or runs the call again.
func (a *Again) Accept() { a.give(true) }

// Decline does not repeat the failed answer or call.
func (a *Again) Decline() { a.give(false) }
