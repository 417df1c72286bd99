package servers

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/config"
	"goated/internal/errtext"
	"goated/internal/launch"
	"goated/internal/sandbox"
	"goated/internal/wording"
	"goated/ui/confinement"
	"goated/ui/kit"
	"goated/ui/runconfig"
	"goated/ui/view"
)

// An understanding shows how goated understands the text in the connect sheet while the user
// types.
type understanding struct {
	root  *fyne.Container
	clock *kit.Clock
	name  *kit.Input        // the name of a single server
	given string            // the name that the text suggested
	field fyne.CanvasObject // of name
	confinement.Foreseen

	raw  string         // the pasted text of several lines, which the field shows as one line
	flat string         // raw as shown in the field
	read launch.Reading // the reading of the last text that was understood

	keyring bool // the system has a keyring for secrets

	unread bool // the text was typed but not understood

	bring func(command string) fyne.CanvasObject // returns a button that installs a missing program, or nil if there is none; may be nil
}

func newUnderstanding(clk *kit.Clock, keyring bool) *understanding {
	u := &understanding{keyring: keyring, root: kit.Vertical(0), clock: clk, name: kit.NewInput(clk, "Name", false)}
	u.field = kit.NewField(u.name)
	u.root.Hide()
	return u
}

// paste stores a text of several lines, and returns the form in which the field shows it.
func (u *understanding) paste(text string) (flat string, several bool) {
	if !strings.Contains(strings.TrimSpace(text), "\n") {
		return "", false
	}
	u.raw, u.flat = text, strings.Join(strings.Fields(text), " ")
	return u.flat, true
}

// text returns the text that the user means by the text in the field.
func (u *understanding) text(field string) string {
	if u.raw != "" && strings.TrimSpace(field) == u.flat {
		return u.raw
	}
	return field
}

// showReading shows a reading, or the advice for a text that is not understood yet.
func (u *understanding) showReading(r launch.Reading, err error, typed bool) {
	u.read, u.Foreseen.Named, u.Offered, u.unread = launch.Reading{}, sandbox.Grant{}, nil, typed && err != nil
	var body fyne.CanvasObject
	switch {
	case !typed:
	case err != nil:
		words := kit.Vertical(2, kit.NewText(errtext.PlainSentence(err), 13, 20, kit.ColorMuted), kit.NewText(wording.PasteAdvice(err), 12, 18, kit.ColorFaint))
		body = container.New(kit.Row{Gap: 10, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("info", 16, kit.ColorFaint)), words)
	default:
		u.read = r
		if len(r.Servers) == 1 {
			body = u.drawServer(r.Servers[0])
		} else {
			body = drawServers(r)
			if slices.ContainsFunc(r.Servers, func(s launch.Server) bool { return len(u.Agreed(s)) > 0 }) {
				body = kit.Vertical(8, body, kit.NewText(installsNote, 12, 18, kit.ColorMuted))
			}
			if runconfig.GivesSecret(r.Servers) && len(u.inputs()) == 0 { // the fields of inputs show it, too
				body = kit.Vertical(8, body, kit.NewText(runconfig.KeepsSecrets(u.keyring), 12, 18, kit.ColorMuted))
			}
		}
	}
	u.show(body)
}

// announce describes what the text installs.
func (u *understanding) announce(title, note string) {
	u.read, u.Foreseen.Named, u.Offered, u.unread = launch.Reading{}, sandbox.Grant{}, nil, false
	words := kit.Vertical(2, kit.NewText(title, 13, 20, kit.ColorText), kit.NewText(note, 12, 18, kit.ColorMuted))
	u.show(container.New(kit.Row{Gap: 10, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("check", 16, kit.ColorGood)), words))
}

// show replaces the card.
func (u *understanding) show(body fyne.CanvasObject) {
	u.root.Objects = nil
	if u.root.Hidden = body == nil; body != nil {
		u.root.Add(kit.Inset(kit.Margin{Top: 10, Right: 0, Bottom: 0, Left: 0},
			kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 12), kit.Margin{Top: 12, Right: 14, Bottom: 12, Left: 14}, body)))
	}
	u.root.Refresh()
}

// drawServer shows one server: its program, its package, its arguments and its variables.
func (u *understanding) drawServer(s launch.Server) fyne.CanvasObject {
	if u.name.Text == "" || u.name.Text == u.given { // the user has not changed it
		if u.given = ""; s.Named {
			u.given = s.Name
		}
		u.name.SetText(u.given)
	}
	if u.name.Text == "" || !s.Named {
		u.name.PlaceHolder = s.Name
	}
	title := kit.NewLabel(wording.ServerTitle(s), 13, kit.ColorText).Strong().Elided()
	label := kit.NewLabel("Name", 12, kit.ColorMuted)
	icon, ink := "check", kit.ColorGood
	if slices.ContainsFunc(s.Notes, func(n launch.Note) bool { return n.Kind == launch.FileMissing || n.Kind == launch.ProgramMissing }) {
		icon, ink = "alert", kit.ColorWarn
	}
	head := container.New(kit.Row{Gap: 10, Flex: title}, kit.NewIcon(icon, 16, ink), title, label, kit.Sized(160, 38, u.field))
	rows := kit.Vertical(4, head)
	for _, f := range runconfig.FactsOf(s) {
		name := kit.NewLabel(f.Name, 13, kit.ColorMuted)
		value := kit.NewLabel(f.Value, 12, kit.ColorText).Mono().Elided()
		hint := kit.NewLabel(f.Hint, 12, kit.ColorMuted)
		rows.Add(kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: 26}, container.New(kit.FactRow{}, name, value, hint)))
	}
	for _, n := range s.Notes {
		text := kit.NewText(wording.NoteText(n), 12, 18, kit.ColorWarn)
		rows.Add(kit.Inset(kit.Margin{Top: 2, Right: 0, Bottom: 0, Left: 26}, text))
		if n.Kind != launch.ProgramMissing || u.bring == nil {
			continue
		}
		if button := u.bring(n.Subject); button != nil {
			rows.Add(kit.Inset(kit.Margin{Top: 2, Right: 0, Bottom: 4, Left: 26}, button))
		}
	}
	if s.Kind == launch.Script || s.Kind == launch.Program {
		u.Look(s)
		rows.Add(u.Block(s))
	}
	return rows
}

// installsNote describes what the user agrees to by adding several servers.
const installsNote = "Each runs in its own sandbox. Servers from npm and PyPI may install their packages from there. Each server may reach the hosts that its settings name."

// drawServers lists the servers of a configuration.
func drawServers(r launch.Reading) fyne.CanvasObject {
	rows := kit.Vertical(6, kit.NewLabel(view.ServerCount(len(r.Servers)), 13, kit.ColorText).Strong())
	for _, s := range r.Servers {
		name := kit.NewLabel(s.Name, 13, kit.ColorText).Elided()
		words := s.Words()
		words[0] = launch.ShownFolders(words[0])
		how := kit.NewLabel(config.Quoted(words), 12, kit.ColorMuted).Mono().Elided()
		rows.Add(container.New(kit.Row{Gap: 10, Flex: how}, kit.Sized(120, 20, name), how))
		if vars := runconfig.Given(s); vars != "" {
			rows.Add(kit.Inset(kit.Margin{Top: -4, Left: 130}, kit.NewText(vars, 12, 18, kit.ColorFaint)))
		}
		for _, n := range s.Notes {
			text := wording.NoteText(n)
			if n.Kind == launch.Placeholder {
				text += " The server is off until then."
			}
			rows.Add(kit.Inset(kit.Margin{Left: 130}, kit.NewText(text, 12, 18, kit.ColorWarn)))
		}
		for _, in := range s.Asks(r.Inputs) {
			if in.Folder() {
				rows.Add(kit.Inset(kit.Margin{Left: 130}, kit.NewText("It needs "+wording.InputLabel(in)+". The server is off until then.", 12, 18, kit.ColorWarn)))
			}
		}
	}
	return rows
}

// launches returns the servers of the reading as launches for the settings. A single server
// gets the name that the user entered. values holds the values of the inputs.
func (u *understanding) launches(values map[string]string) []config.Launch {
	var out []config.Launch
	for _, s := range u.read.Servers {
		l := config.FromTextWithValues(s, u.read.Inputs, values)
		if len(u.read.Servers) == 1 {
			l = u.withPlaceholderValues(l, values)
			l.Name = strings.TrimSpace(u.name.Text)
		}
		l.Allowed = u.Agreed(s)
		out = append(out, l)
	}
	return out
}

// askedInputs returns the inputs of the text. For a single server it also returns the variables that
// the server names, or the headers of a URL.
func (u *understanding) askedInputs() []config.Variable {
	var out []config.Variable
	for _, in := range u.inputs() {
		out = append(out, config.Variable{Name: launch.InputVariable(in.ID), Value: in.Default})
	}
	if len(u.read.Servers) != 1 {
		return out
	}
	for _, v := range slices.Concat(u.read.Servers[0].Env, u.read.Servers[0].Remote.Headers) {
		if !runconfig.Composes(v) { // a variable that consists of inputs is not asked for
			out = append(out, config.Variable{Name: v.Name, Value: v.Value})
		}
	}
	return out
}

// openVariables returns the variables that the text leaves to the user, including empty secrets.
func (u *understanding) openVariables() (out []launch.Variable) {
	for _, s := range u.read.Servers {
		for _, v := range slices.Concat(s.Env, s.Remote.Headers) {
			if (v.Ask || config.IsUnsetSecret(v)) && !runconfig.Composes(v) {
				out = append(out, v)
			}
		}
	}
	return out
}
