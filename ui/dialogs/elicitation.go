package dialogs

import (
	"cmp"
	"fmt"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/errtext"
	"goated/internal/safetext"
	"goated/ui/approval"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// An elicitation is a server's question.
type elicitation struct {
	from   client.Asker
	params *mcp.ElicitParams
}

// question returns the question, which shows a form or asks whether to open a page.
func (e elicitation) question() shell.Question {
	return shell.Question{Guard: shell.GuardTime, Listed: e.listed(), Draw: func(sh *shell.Shell, count *shell.Counter, answer func(any)) *kit.Sheet {
		if e.params.Mode == "url" || e.params.RequestedSchema == nil && e.params.URL != "" {
			return newVisit(sh, e, count, answer)
		}
		return newElicit(sh, e, count, answer)
	}}
}

// listed returns the entry for the list of waiting questions.
func (e elicitation) listed() shell.Entry {
	what := safetext.Cut(safetext.OneLine(e.params.Message), shell.MaxWhat)
	if e.params.Mode == "url" {
		what = "Visit a page"
	}
	return shell.Entry{Icon: "message", Who: "Form of " + e.name(), What: cmp.Or(what, e.name()+" asks you")}
}

// name returns the server's name, which the server chose itself, on one short line.
func (e elicitation) name() string { return safetext.Name(e.from.Name) }

// newElicit draws the form of an elicitation.
func newElicit(sh *shell.Shell, e elicitation, count *shell.Counter, answer func(any)) *kit.Sheet {
	var s *kit.Sheet
	f := form.NewGuarded(sh, e.params.RequestedSchema, approval.Lead(e.from, e.params, func() { s.Refit() }))
	submit := func() {
		if content, ok := f.Submit(); ok {
			answer(&mcp.ElicitResult{Action: "accept", Content: content})
		}
	}
	f.OnSubmit = submit
	decline := kit.NewButton(kit.Outline, "", "Decline", func() { answer(&mcp.ElicitResult{Action: "decline"}) })
	s = kit.NewSheet(560, e.name()+" asks you", f.Root, kit.Vertical(8, f.Warning, shell.Foot(count, decline,
		kit.NewButton(kit.Primary, "", "Submit", submit))))
	f.Sheet, s.First = s, f.First(decline)
	s.OnClose = func() {
		if f.Leave() {
			answer(&mcp.ElicitResult{Action: "cancel"})
		}
	}
	return s
}

// newVisit asks whether to open a page that a server names. It shows the host that the browser
// would connect to, marks look-alikes, and opens only http and https.
func newVisit(sh *shell.Shell, e elicitation, count *shell.Counter, answer func(any)) *kit.Sheet {
	a := safetext.ReadAddress(e.params.URL)
	address := safetext.Cut(e.params.URL, 1000)
	var s *kit.Sheet
	parts := []fyne.CanvasObject{approval.Asker(e.from, func() { s.Refit() })}
	decline := kit.NewButton(kit.Outline, "", "Decline", func() { answer(&mcp.ElicitResult{Action: "decline"}) })
	open := kit.NewButton(kit.Primary, "external", "Open in the browser", nil)
	if a.URL == nil {
		open.SetEnabled(false)
		parts = append(parts, kit.Facts("Address", address), kit.NewText("This is not the address of a web page, so goated can't open it.", 13, 20, kit.ColorBad))
	} else {
		host := kit.NewText(a.Host, 18, 24, kit.ColorText) // not truncated, because the end of a host identifies its owner
		host.Style.Bold = true
		facts := []string{"Address", address}
		if a.Site != "" {
			facts = append([]string{"It belongs to", a.Site}, facts...)
		}
		parts = append(parts, kit.Vertical(4, kit.NewLabel("The page is of", 12, kit.ColorMuted), host), kit.Facts(facts...))
		for _, doubt := range view.AddressWarnings(a) {
			parts = append(parts, approval.Warning(doubt))
		}
	}
	if e.params.Message != "" {
		parts = append(parts, approval.Message(e.params))
	}
	visit := func() any {
		if err := sh.OpenURL(a.URL); err != nil {
			sh.Toasts.Say("alert", fmt.Sprintf("Opening the browser failed: %s", errtext.PlainSentence(err)))
			return nil
		}
		return &mcp.ElicitResult{Action: "accept"}
	}
	open.OnTapped = func() { answer(visit) }
	s = kit.NewSheet(560, e.name()+" asks you to visit a page", kit.Vertical(14, parts...), shell.Foot(count, decline, open))
	s.First = decline
	s.OnClose = func() { answer(&mcp.ElicitResult{Action: "cancel"}) }
	return s
}
