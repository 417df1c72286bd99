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

// Lead says who asks, where the answer goes and what the server says, above the form
// of an elicitation. A name is the server's own choice; the program that it runs is
// not. resized runs after the height changed.
func Lead(from client.Asker, p *mcp.ElicitParams, resized func()) []fyne.CanvasObject {
	lead := []fyne.CanvasObject{Asker(from, resized)}
	if p.Message != "" {
		lead = append(lead, Message(p))
	}
	for _, text := range []string{view.SecretWarning(p), view.Unshown(p)} {
		if text != "" {
			lead = append(lead, Warning(text))
		}
	}
	return lead
}

// Message returns the server's own words, marked as such and bounded.
func Message(p *mcp.ElicitParams) fyne.CanvasObject {
	return kit.NewText("“"+view.Asked(p.Message)+"”", 14, 21, kit.ColorText)
}

// Warning returns a sentence on the ground of warnings.
func Warning(text string) fyne.CanvasObject {
	words := kit.NewText(text, 13, 20, kit.ColorText)
	return kit.Boxed(kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 10), kit.Margin{Top: 10, Right: 14, Bottom: 10, Left: 14},
		container.New(kit.Row{Gap: 10, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorWarn)), words))
}

// A Form is the question of a server during a call, in the transcript. Its methods
// belong to the UI goroutine.
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
	Count   *shell.Counter          // opens the list of the questions that wait
	Room    func() float32          // the height that the card may take; the fields scroll beyond it
	Changed func()                  // runs when [Form.Hint] may have changed
	Resized func()                  // the height of the card may have changed
	Answer  func(*mcp.ElicitResult) // gets the answer, once
}

// NewForm returns the card of an elicitation.
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

// Object returns the card on the screen.
func (f *Form) Object() fyne.CanvasObject { return f.root }

// Preview says what the card asks, for the list of conversations.
func (f *Form) Preview() string { return f.name + " asks you" }

// Listed describes it in the list of the questions that wait.
func (f *Form) Listed() shell.Entry {
	what := safetext.Cut(safetext.OneLine(f.o.Params.Message), shell.MaxWhat)
	return shell.Entry{Icon: "message", Who: "Form of " + f.name, What: cmp.Or(what, f.Preview())}
}

// Hint says what the keys do now.
func (f *Form) Hint() string {
	if f.form.Warned() {
		return "Ctrl+Enter submits · Esc again declines"
	}
	return "Ctrl+Enter submits · Esc declines"
}

// Page scrolls the fields by this many pages, and reports whether they moved.
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

// Decline is Esc: it declines, unless that would lose what the user entered without a warning.
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

// decline answers that the user declines.
func (f *Form) decline() {
	if f.open() {
		f.done = true
		f.o.Answer(&mcp.ElicitResult{Action: "decline"})
	}
}
