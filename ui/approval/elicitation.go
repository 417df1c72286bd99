package approval

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/safetext"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// Lead returns the part above the form of an elicitation: who asks, where the answer goes, and
// the server's message. A server chooses its name, but not the program that runs, so Lead shows
// both. resized runs after the height changed.
func Lead(from client.Asker, p *mcp.ElicitParams, resized func()) []fyne.CanvasObject {
	lead := []fyne.CanvasObject{Asker(from, resized)}
	if p.Message != "" {
		lead = append(lead, Message(p))
	}
	for _, text := range []string{view.SecretWarning(p), view.MissingFieldsText(p)} {
		if text != "" {
			lead = append(lead, Warning(text))
		}
	}
	return lead
}

// Message returns the server's message, in quotation marks and limited in length.
func Message(p *mcp.ElicitParams) fyne.CanvasObject {
	return kit.NewText("“"+view.QuestionText(p.Message)+"”", 14, 21, kit.ColorText)
}

// Warning returns a text on the background of a warning.
func Warning(text string) fyne.CanvasObject {
	words := kit.NewText(text, 13, 20, kit.ColorText)
	return kit.Boxed(kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 10), kit.Margin{Top: 10, Right: 14, Bottom: 10, Left: 14},
		container.New(kit.Row{Gap: 10, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorWarn)), words))
}

// A Form is a question that a server asks during a call, in the transcript. Its methods belong to
// the UI goroutine.
type Form struct {
	guard
	o    FormOptions
	root *fyne.Container
	body *kit.Bounded
	form *form.Form
	name string
}

// FormOptions configure a [Form]. All functions run on the UI goroutine.
type FormOptions struct {
	From    client.Asker
	Params  *mcp.ElicitParams
	Count   *shell.Counter          // opens the list of waiting questions
	Room    func() float32          // returns the height that is available for the card; beyond it, the fields scroll
	Changed func()                  // runs when [Form.Hint] may have changed
	Resized func()                  // the height of the card may have changed
	Answer  func(*mcp.ElicitResult) // receives the answer, once
}

// NewForm returns the card for an elicitation.
func NewForm(sh *shell.Shell, o FormOptions) *Form {
	f := &Form{guard: guard{sh: sh, since: sh.Now()}, o: o, name: safetext.Name(o.From.Name)}
	f.form = form.NewGuarded(sh, o.Params.RequestedSchema, Lead(o.From, o.Params, o.Resized))
	f.form.OnSubmit, f.form.OnResize, f.form.OnChange = f.Accept, o.Resized, o.Changed
	badge := container.New(kit.Fixed{Min: fyne.NewSize(30, 30)}, kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 8), kit.NewIcon("message", 16, kit.ColorWarn))
	title := kit.NewLabel(f.name+" asks you", 14, kit.ColorText).Strong().Elided()
	head := container.New(kit.Fixed{Min: fyne.NewSize(1, 52)}, kit.Inset(kit.Margin{Right: 14, Left: 10}, o.Count.In(kit.Horizontal(10, title, badge, title, o.Count.Button))))
	decline := kit.NewButton(kit.Outline, "", "Decline", f.decline).Keyed("Esc")
	submit := kit.NewButton(kit.Primary, "", "Submit", f.Accept).Keyed("Ctrl+Enter")
	gap := kit.NewLabel("", 12, kit.ColorMuted).Elided()
	foot := kit.Inset(kit.Margin{Top: 12, Right: 12, Bottom: 12, Left: 15}, kit.Vertical(8, f.form.Warning, kit.Horizontal(8, gap, gap, decline, submit)))
	panel := kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 12)
	panel.Shadow = true
	f.body = kit.NewCardBody(kit.Inset(kit.Margin{Top: 14, Right: 16, Bottom: 14, Left: 16}, f.form.Root), o.Room, leastHeight, nil)
	f.root = container.New(kit.Margin{}, panel, kit.Vertical(0, head, kit.NewLine(), f.body.Root, kit.NewLine(), foot))
	return f
}

// Object returns the widget of the card.
func (f *Form) Object() fyne.CanvasObject { return f.root }

// Preview returns a short text for the list of conversations.
func (f *Form) Preview() string { return f.name + " asks you" }

// Listed returns the entry for the list of waiting questions.
func (f *Form) Listed() shell.Entry {
	what := safetext.Cut(safetext.OneLine(f.o.Params.Message), shell.MaxWhat)
	return shell.Entry{Icon: "message", Who: "Form of " + f.name, What: cmp.Or(what, f.Preview())}
}

// Hint describes the keys.
func (f *Form) Hint() string {
	if f.form.Warned() {
		return "Ctrl+Enter submits · Esc again declines"
	}
	return "Ctrl+Enter submits · Esc declines"
}

// Page scrolls the fields by a number of pages. It reports whether they scrolled.
func (f *Form) Page(pages float32) bool { return page(f.body, pages) }

// Accept submits the form, if all fields are valid.
func (f *Form) Accept() {
	if !f.open() {
		return
	}
	content, ok := f.form.Submit()
	if !ok {
		f.o.Resized()
		return
	}
	f.done = true
	f.o.Answer(&mcp.ElicitResult{Action: "accept", Content: content})
}

// Decline handles Esc. It declines, unless the user would lose an input without a warning.
func (f *Form) Decline() {
	if !f.open() {
		return
	}
	if f.form.Leave() {
		f.decline()
		return
	}
	f.o.Changed()
}

// decline answers that the user declined.
func (f *Form) decline() {
	if f.open() {
		f.done = true
		f.o.Answer(&mcp.ElicitResult{Action: "decline"})
	}
}
