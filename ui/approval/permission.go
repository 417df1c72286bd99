package approval

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/shell"
)

// PermissionOptions are the content of a question about a permission. All texts are for the user.
type PermissionOptions struct {
	Wants   string // "weather wants to reach api.open-meteo.com"
	Means   string // the consequences of allowing it
	Kept    string // describes what stays protected; may be empty
	Warning string // why the permission is dangerous; empty if it is not
	Program string // the program that the server runs
	Icon    string
	Flag    string // allows it in a terminal; empty if no flag does
	Waits   bool   // the call waits for the answer and then continues

	Count *shell.Counter // opens the list of waiting questions

	// Answer receives the answer, once. never means that goated must not ask again.
	Answer func(allow, never bool)
}

// A Permission is a question in the transcript. It asks whether a server may do something that
// its sandbox blocked during a call. Its methods belong to the UI goroutine.
type Permission struct {
	guard
	o      PermissionOptions
	root   *fyne.Container
	remark *kit.Paragraph // explains the effect of the answer

	// Resized runs after the height of the card may have changed. It may be nil.
	Resized func()
}

// NewPermission returns the card for a question about a permission.
func NewPermission(sh *shell.Shell, o PermissionOptions) *Permission {
	p := &Permission{guard: guard{sh: sh, since: sh.Now()}, o: o}
	badge := container.New(kit.Fixed{Min: fyne.NewSize(30, 30)}, kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 8), kit.NewIcon(o.Icon, 16, kit.ColorWarn))
	wants := kit.NewText(o.Wants, 14, 21, kit.ColorText)
	wants.Style.Bold = true
	words := kit.Vertical(6, wants)
	if o.Warning != "" {
		words.Add(Warning(o.Warning))
	} else {
		words.Add(kit.NewText(o.Means, 13, 20, kit.ColorMuted))
	}
	if o.Kept != "" {
		words.Add(kit.NewText(o.Kept, 13, 20, kit.ColorMuted))
	}
	p.remark = kit.NewText(p.follows(), 12, 18, kit.ColorMuted)
	words.Add(p.remark)
	body := kit.Inset(kit.Margin{Top: 14, Right: 16, Bottom: 12, Left: 10}, container.New(kit.Row{Gap: 12, Flex: words, Top: true}, badge, words))

	never := kit.NewButton(kit.Ghost, "", "Never", func() { p.answer(false, true) })
	sh.Tips.Name(never, "Refuse, and don't ask for this again", kit.Shortcut{})
	permit := func() { p.answer(true, false) }
	no, allow := kit.NewButton(kit.Outline, "", "Not now", p.Decline), kit.NewButton(kit.Primary, "", "Allow for this server", permit).Keyed("Ctrl+Enter")
	if o.Warning != "" {
		no, allow = kit.NewButton(kit.Primary, "", "Not now", p.Decline), kit.NewButton(kit.Outline, "alert", "Allow anyway", permit)
		allow.IgnoreEnter = true
	}
	no.Keyed("Esc")
	rows := []fyne.CanvasObject{body, kit.Inset(kit.Margin{Right: 12, Bottom: 12, Left: 15}, shell.Foot(o.Count, never, no, allow))}
	if o.Flag != "" {
		rows = append(rows, kit.NewLine(), p.terminal())
	}
	panel := kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 12)
	panel.Shadow = true
	p.root = container.New(kit.Margin{}, panel, kit.Vertical(0, rows...))
	return p
}

// follows explains the effect of the answer.
func (p *Permission) follows() string {
	text := "The sandbox blocked it. If you allow it, the server restarts, and goated remembers your answer."
	if p.o.Waits {
		text = "The call continues when you answer. Its time limit is paused. If you allow it, goated remembers your answer."
	}
	return text + " The server runs " + p.o.Program + "."
}

// Over records that the call no longer waits for the answer.
func (p *Permission) Over() {
	if p == nil || p.done {
		return
	}
	p.o.Waits = false
	p.remark.SetText(p.follows())
	if p.Resized != nil {
		p.Resized()
	}
}

// terminal returns a row with the flag that allows the same in a terminal, and a button that
// copies the flag.
func (p *Permission) terminal() fyne.CanvasObject {
	flag := kit.NewLabel(p.o.Flag, 12, kit.ColorText).Mono().Elided()
	copied := kit.NewButton(kit.Ghost, "copy", "", func() { p.sh.Copy(p.o.Flag) }).Small()
	p.sh.Tips.Name(copied, "Copy the flag", kit.Shortcut{})
	words := kit.NewLabel("The same in a terminal", 12, kit.ColorMuted)
	return kit.Inset(kit.Margin{Top: 6, Right: 10, Bottom: 6, Left: 52}, kit.Horizontal(12, flag, words, flag, copied))
}

func (p *Permission) answer(allow, never bool) {
	if p.open() {
		p.done = true
		p.o.Answer(allow, never)
	}
}

// Object returns the widget of the card.
func (p *Permission) Object() fyne.CanvasObject { return p.root }

// Preview returns a short text for the list of conversations.
func (p *Permission) Preview() string { return p.o.Wants }

// Listed returns the entry for the list of waiting questions.
func (p *Permission) Listed() shell.Entry {
	return shell.Entry{Icon: "shield", Who: "Permission", What: safetext.Cut(safetext.OneLine(p.o.Wants), shell.MaxWhat)}
}

// Hint describes the keys.
func (p *Permission) Hint() string {
	if p.o.Warning != "" {
		return "Esc: not now"
	}
	return "Ctrl+Enter allows · Esc: not now"
}

// Accept gives the permission, unless it is dangerous: a dangerous permission requires a press of
// its button.
func (p *Permission) Accept() {
	if p.o.Warning == "" {
		p.answer(true, false)
	}
}

// Decline denies the permission this time.
func (p *Permission) Decline() { p.answer(false, false) }
