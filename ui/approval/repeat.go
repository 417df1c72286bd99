package approval

import (
	"context"
	"fmt"

	"goated/client"
	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// AskRepeat asks whether a tool call may run a second time, in the conversation of the call or on
// a sheet. It blocks until the user answers. If ask fails, the answer is no.
func AskRepeat(ctx context.Context, ask func(context.Context, shell.Question) (any, error), from client.Asker, tool string) bool {
	title, about := repeatTitle(tool), view.RepeatText(from.Name, tool)
	answer, err := ask(ctx, shell.Question{
		Guard: shell.GuardTime, Server: from.ID, Listed: shell.Entry{Icon: "retry", Who: safetext.Name(from.Name), What: safetext.Cut(title, shell.MaxWhat)},
		Draw: func(_ *shell.Shell, count *shell.Counter, answer func(any)) *kit.Sheet {
			no := kit.NewButton(kit.Primary, "", dontRepeat, func() { answer(false) })
			yes := kit.NewButton(kit.Outline, "retry", repeat, func() { answer(true) })
			yes.IgnoreEnter = true
			s := kit.NewSheet(560, title, kit.NewText(about, 14, 21, kit.ColorText), shell.Foot(count, no, yes))
			s.First, s.OnClose = no, func() { answer(false) }
			return s
		},
		Card: func(sh *shell.Shell, count *shell.Counter, answer func(any)) shell.Card {
			return newRepeat(sh, from.Name, tool, count, func(again bool) { answer(again) })
		},
	})
	again, _ := answer.(bool)
	return err == nil && again
}

// The labels of the buttons.
const (
	repeat     = "Run again"
	dontRepeat = "Don't run again"
)

func repeatTitle(tool string) string { return fmt.Sprintf("Run %s again?", safetext.Name(tool)) }

// newRepeat returns the card for that question.
func newRepeat(sh *shell.Shell, server, tool string, count *shell.Counter, answer func(again bool)) *Again {
	a := &Again{
		guard: guard{sh: sh, since: sh.Now()}, answer: answer,
		preview: repeatTitle(tool), who: safetext.Name(server), hint: "Ctrl+Enter runs it again · Esc: not again",
	}
	a.draw(kit.NewIcon("alert", 16, kit.ColorWarn), view.RepeatText(server, tool), count, dontRepeat, repeat)
	return a
}
