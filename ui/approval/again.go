package approval

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/shell"
)

// An Again asks in the transcript whether to answer a message again, after its server got a
// permission that a call lacked. Its methods belong to the UI goroutine.
type Again struct {
	guard
	server string // its name
	root   *fyne.Container
	answer func(again bool)
}

// NewAgain returns the card. answer gets the answer, once.
func NewAgain(sh *shell.Shell, server string, count *shell.Counter, answer func(again bool)) *Again {
	a := &Again{guard: guard{sh: sh, since: sh.Now()}, server: server, answer: answer}
	badge := container.New(kit.Fixed{Min: fyne.NewSize(30, 30)}, kit.NewPanel(kit.ColorSoft, kit.ColorNone, 8), kit.NewIcon("check", 16, kit.ColorGood))
	title := kit.NewText(a.Preview(), 14, 21, kit.ColorText)
	title.Style.Bold = true
	words := kit.Vertical(6, title, kit.NewText("Its call failed before. Try again asks the model for a new answer, with a new call.", 13, 20, kit.ColorMuted))
	body := kit.Inset(kit.Margin{Top: 14, Right: 16, Bottom: 12, Left: 10}, container.New(kit.Row{Gap: 12, Flex: words, Top: true}, badge, words))
	no := kit.NewButton(kit.Outline, "", "Not now", a.Decline).Keyed("Esc")
	yes := kit.NewButton(kit.Primary, "", "Try again", a.Accept).Keyed("Ctrl+Enter")
	panel := kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 12)
	panel.Shadow = true
	a.root = container.New(kit.Margin{}, panel, kit.Vertical(0, body, kit.Inset(kit.Margin{Right: 12, Bottom: 12, Left: 15}, shell.Foot(count, no, yes))))
	return a
}

func (a *Again) give(again bool) {
	if a.open() {
		a.done = true
		a.answer(again)
	}
}

// Object returns the card on the screen.
func (a *Again) Object() fyne.CanvasObject { return a.root }

// Preview says what the card asks, for the list of conversations.
func (a *Again) Preview() string {
	return fmt.Sprintf("%s has the permission now.", safetext.Name(a.server))
}

// Listed describes it in the list of the questions that wait.
func (a *Again) Listed() shell.Entry {
	return shell.Entry{Icon: "retry", Who: "Try again", What: safetext.Cut(a.Preview(), shell.MaxWhat)}
}

// Hint says what the keys do now.
func (a *Again) Hint() string { return "Ctrl+Enter tries again · Esc: not now" }

// Accept answers the message again.
func (a *Again) Accept() { a.give(true) }

// Decline leaves the failed answer.
func (a *Again) Decline() { a.give(false) }
