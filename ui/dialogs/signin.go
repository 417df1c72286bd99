package dialogs

import (
	"context"
	"errors"
	"strings"

	"goated/internal/oauth"
	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/shell"
)

// errNoSignIn means that the user closed the question.
var errNoSignIn = errors.New("you cancelled")

// AskSignIn asks the user to sign in to a server with a URL. The browser opens only after a
// click. AskSignIn blocks until then. It returns an error if the user cancels.
func AskSignIn(ctx context.Context, ask func(context.Context, shell.Question) (any, error), r oauth.Request) error {
	answer, err := ask(ctx, shell.Question{Guard: shell.GuardTime, Listed: shell.Entry{Icon: "plug", Who: safetext.Name(r.Server), What: "Sign in to " + safetext.Name(r.Server)}, Draw: func(s *shell.Shell, count *shell.Counter, answer func(any)) *kit.Sheet {
		return newSignInPrompt(r, count, s.Copy, s.OpenLink, answer)
	}})
	if err != nil {
		return err
	}
	if opened, _ := answer.(bool); !opened {
		return errNoSignIn
	}
	return nil
}

// newSignInPrompt draws the question. It shows the host that receives the user's password
// first, and then the whole address.
func newSignInPrompt(r oauth.Request, count *shell.Counter, copyText, follow func(string), answer func(any)) *kit.Sheet {
	title := "Sign in to " + r.Server + "?"
	about := r.Server + " wants you to sign in. Your browser opens a page of " + r.Host + ". goated never sees your password."
	if r.Again {
		about = r.Server + " needs more permissions than you gave it. Your browser opens a page of " + r.Host + ", where you can give them."
	}
	body := kit.Vertical(10, kit.NewText(about, 14, 21, kit.ColorText))
	if len(r.Scopes) > 0 {
		body.Add(kit.NewText("Asks for: "+strings.Join(r.Scopes, ", "), 13, 19, kit.ColorMuted))
	}
	body.Add(kit.NewText(r.URL, 12, 17, kit.ColorFaint))
	no := kit.NewButton(kit.Outline, "", "Cancel", func() { answer(nil) })
	useAddress := func(use func(string)) func() { // runs only when an answer is accepted
		return func() { answer(func() any { use(r.URL); return true }) }
	}
	copied := kit.NewButton(kit.Outline, "copy", "Copy address", useAddress(copyText))
	open := kit.NewButton(kit.Primary, "external", "Open browser", useAddress(follow))
	sheet := kit.NewSheet(560, title, body, shell.Foot(count, no, copied, open))
	sheet.First = no
	sheet.OnClose = func() { answer(nil) }
	return sheet
}
