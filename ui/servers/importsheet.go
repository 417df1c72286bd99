package servers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/errtext"
	"goated/internal/launch"
	"goated/internal/sandbox"
	"goated/internal/transfer"
	"goated/internal/wording"
	"goated/ui/kit"
	"goated/ui/view/format"
)

// An ImportList lists the servers of other MCP clients with their exact commands. The user
// chooses some of them. None of them runs before that. Its fields and methods belong to the UI
// goroutine.
type ImportList struct {
	Root     *fyne.Container
	OnChange func() // after the choice changed

	rows     []*importRow
	clock    *kit.Clock
	settings config.Settings
	bundled  []config.Bundled // goated's own servers
}

// An importRow is the row of one server.
type importRow struct {
	draft  transfer.Draft
	entry  transfer.Entry
	inputs []launch.Input
	values []importValue // entered by the user
	app    transfer.App
	source string // the registry from which it is installed; empty: none
	option *kit.Option
	taken  string         // why it cannot be chosen; empty: it can
	own    config.Bundled // the server of goated that it stands for, if that is off; importing it turns that on
}

// NewImportList lists the servers that were found. The user cannot choose servers that goated
// already has. bundled are goated's own servers.
func NewImportList(clk *kit.Clock, found []transfer.Found, s config.Settings, bundled []config.Bundled) *ImportList {
	l := &ImportList{Root: kit.Vertical(0), clock: clk, settings: s, bundled: bundled}
	for _, f := range found {
		if len(f.Servers) == 0 && f.Err == nil {
			continue
		}
		l.add(f)
	}
	if len(l.Root.Objects) == 0 {
		l.Root.Add(kit.NewText("goated found no servers of other apps on this computer. It looks for Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Gemini CLI, Antigravity, Goose, Codex and LM Studio.", 14, 21, kit.ColorMuted))
	}
	return l
}

// add lists the servers of one file under its title.
func (l *ImportList) add(f transfer.Found) {
	title := kit.NewLabel("Found in "+f.App.Name, 14, kit.ColorText).Strong()
	from := len(l.rows)
	var rows []fyne.CanvasObject
	if f.Err != nil {
		rows = append(rows, kit.NewText(errtext.PlainSentence(f.Err), 13, 19, kit.ColorWarn))
	}
	for _, e := range f.Servers {
		if e.Err != nil {
			rows = append(rows, kit.NewText(errtext.Sentence(e.Problem()), 13, 19, kit.ColorWarn))
			continue
		}
		rows = append(rows, l.row(f, e))
	}
	own := l.rows[from:]
	free := 0
	for _, r := range own {
		if r.taken == "" {
			free++
		}
	}
	words := format.Plural(len(f.Servers), "1 server", "%d servers")
	if free < len(f.Servers) {
		words = fmt.Sprintf("%d of %s can be imported", free, words)
	}
	count := kit.NewLabel(words, 13, kit.ColorMuted)
	all := kit.NewButton(kit.Ghost, "", "Select all", nil).Small()
	all.OnTapped = func() {
		on := slices.ContainsFunc(own, func(r *importRow) bool { return r.taken == "" && !r.option.On })
		for _, r := range own {
			r.option.Set(on && r.taken == "")
		}
		l.changed()
	}
	head := []fyne.CanvasObject{title, count}
	if free > 0 {
		gap := kit.NewLabel("", 13, kit.ColorMuted).Elided()
		head = append(head, gap, all)
		l.Root.Add(kit.Inset(kit.Margin{Top: 10, Right: 0, Bottom: 2, Left: 0}, kit.Horizontal(8, gap, head...)))
	} else {
		l.Root.Add(kit.Inset(kit.Margin{Top: 10, Right: 0, Bottom: 2, Left: 0}, kit.Horizontal(8, nil, head...)))
	}
	l.Root.Add(kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 4, Left: 0}, kit.NewText(f.Path, 12, 17, kit.ColorFaint)))
	for _, r := range rows {
		l.Root.Add(r)
	}
}

// row shows a server: its name with a checkbox, its exact command in full, and a remark.
func (l *ImportList) row(f transfer.Found, e transfer.Entry) fyne.CanvasObject {
	draft := transfer.Drafted(e.Server, f.Inputs, defaults(f.Inputs))
	r := &importRow{draft: draft, entry: e, inputs: f.Inputs, app: f.App, source: e.Server.Origin.Registry()}
	r.taken = l.taken(r)
	r.option = kit.NewOption(kit.Checkbox, e.Name, false, nil)
	fields := l.valueFields(r)
	r.option.OnChange = func() {
		if r.taken != "" {
			r.option.Set(false)
		}
		fields.Hidden = !r.option.On || len(r.values) == 0
		l.changed()
	}
	fields.Hide()
	l.rows = append(l.rows, r)
	words := kit.Vertical(1, kit.NewText(LaunchLine(draft.Launch), 13, 18, kit.ColorText))
	if remark := r.note(); remark != "" {
		words.Add(kit.NewText(remark, 12, 17, kit.ColorMuted))
	}
	words.Add(fields)
	r.option.Tappable.SetColors(kit.ColorNone, kit.ColorNone)
	command := kit.Inset(kit.Margin{Top: 9, Right: 0, Bottom: 6, Left: 0}, words)
	row := container.New(kit.Row{Gap: 8, Flex: command, Top: true}, kit.Sized(180, 36, r.option.Root), command)
	return kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: -12}, row)
}

// taken returns why the server of a row cannot be chosen.
func (l *ImportList) taken(r *importRow) string {
	if own, ok := r.entry.Own(); ok {
		i := slices.IndexFunc(l.bundled, func(b config.Bundled) bool { return b.Name == own })
		switch {
		case i < 0:
			return own + " comes with goated: turn it on in Tools"
		case l.settings.StartsBundled(l.bundled[i]):
			return own + " comes with goated and is on"
		}
		r.own = l.bundled[i]
	} else if r.entry.Saved(slices.Concat(l.settings.Launch, l.settings.Recent)) {
		return "goated has it already"
	}
	if i := slices.IndexFunc(l.rows, func(o *importRow) bool { return o.entry.Repeats(r.entry) }); i >= 0 {
		same := "same as in " + l.rows[i].app.Name
		if l.rows[i].entry.Name != r.entry.Name {
			same = "same as " + l.rows[i].entry.Name + " in " + l.rows[i].app.Name
		}
		return same
	}
	return ""
}

// note returns what else matters about a server.
func (r *importRow) note() string {
	var parts []string
	if r.taken != "" {
		parts = append(parts, r.taken)
	} else if r.own.Name != "" {
		return r.own.Name + " comes with goated. Importing turns that one on"
	}
	secrets, plain := 0, []string{}
	for _, v := range slices.Concat(r.draft.Env, r.draft.Headers) {
		switch {
		case v.Ref != "":
			secrets++
		case v.Value != "":
			plain = append(plain, v.Name+"="+v.Value)
		}
	}
	if secrets > 0 {
		parts = append(parts, format.Plural(secrets, "1 key, to the keyring", "%d keys, to the keyring"))
	}
	if r.source != "" && r.taken == "" {
		parts = append(parts, "installs itself from "+r.source)
	}
	if len(plain) > 0 {
		parts = append(parts, "with "+strings.Join(plain, ", "))
	}
	if len(r.draft.Missing) > 0 {
		var names []string
		for _, name := range r.draft.Missing {
			names = append(names, wording.VariableLabel(launch.InputVariable(name)))
		}
		parts = append(parts, "needs "+strings.Join(names, ", "))
	}
	for _, n := range r.entry.Server.Notes {
		if n.Kind == launch.EnvFileUnread {
			parts = append(parts, strings.TrimSuffix(wording.NoteText(n), "."))
		}
	}
	if r.draft.Off {
		parts = append(parts, "off in "+r.app.Name)
	}
	return strings.Join(parts, " · ")
}

// defaults returns the default values of inputs.
func defaults(list []launch.Input) map[string]string {
	values := make(map[string]string)
	for _, in := range list {
		values[in.ID] = in.Default
	}
	return values
}

func (l *ImportList) changed() {
	if l.OnChange != nil {
		l.OnChange()
	}
}

// Chosen returns the servers that the user chose. Servers without a required value are off.
func (l *ImportList) Chosen() (list []config.Launch) {
	for _, r := range l.rows {
		if r.option.On && r.taken == "" && r.own.Name == "" {
			one, missing := config.MarkMissing(r.filled(), r.entry.Server)
			one.Off = one.Off || len(missing) > 0
			if r.source != "" {
				one.Allowed = one.Allowed.With(sandbox.Permission{Kind: sandbox.ToInstall})
			}
			list = append(list, one)
		}
	}
	return list
}

// Own returns goated's own servers that the user chose, without duplicates.
func (l *ImportList) Own() (list []config.Bundled) {
	for _, r := range l.rows {
		if r.option.On && r.own.Name != "" && !slices.ContainsFunc(list, func(b config.Bundled) bool { return b.Name == r.own.Name }) {
			list = append(list, r.own)
		}
	}
	return list
}

// Import opens the sheet with the servers of other MCP clients. Reading their files takes a
// moment.
func Import(pages *Pages) {
	ps := importFlow{pages}
	ps.Go(func() {
		found := FoundElsewhere()
		ps.Post(func() { ps.openImport(NewImportList(pages.Clock, found, *pages.Settings, pages.On.Bundled)) })
	})
}

// An importFlow saves and starts the servers that the user chooses.
type importFlow struct{ *Pages }

// openImport shows the sheet for a list.
func (ps importFlow) openImport(l *ImportList) {
	var s *kit.Sheet
	shut := func() { ps.Sheets.Shut(s) }
	s = NewImportSheet(l, shut, func() {
		shut()
		ps.saveChosen(l)
	})
	ps.Sheets.Open(s)
}

// NewImportSheet draws a list and the button that imports the chosen servers.
func NewImportSheet(l *ImportList, closed, chosen func()) *kit.Sheet {
	note := kit.NewLabel("Nothing runs before you import it. Those files are not changed.", 13, kit.ColorMuted).Elided()
	cancel := kit.NewButton(kit.Outline, "", "Cancel", closed)
	do := kit.NewButton(kit.Primary, "plug", "Import", chosen)
	s := kit.NewSheet(720, "Import servers", l.Root, kit.Horizontal(8, note, note, cancel, do))
	l.OnChange = func() {
		n := len(l.Chosen()) + len(l.Own())
		if do.SetEnabled(n > 0); n > 0 {
			do.SetText(format.Plural(n, "Import 1 server", "Import %d servers"))
		} else {
			do.SetText("Import")
		}
		s.Refit()
	}
	l.OnChange()
	s.First = cancel
	s.Holds = l.entered()
	s.OnClose = closed
	return s
}

// saveChosen saves the chosen servers, stores their keys in the keyring, and starts the servers that
// are on. A server gets its name before it starts, because the host uses this name. saveChosen also
// turns on the chosen ones of goated's own servers.
func (ps importFlow) saveChosen(l *ImportList) {
	chosen, own := l.Chosen(), l.Own()
	for _, b := range own {
		ps.Change(ps.Settings.WithBundled(b, true))
		ps.On.Switch(b, true)
	}
	ps.Go(func() {
		kept := slices.Clone(chosen)
		unkept, why := 0, error(nil) // servers whose keys the keyring rejected
		for i, l := range chosen {
			if ps.Secrets.Persistent() {
				l = l.WithoutSecrets()
			}
			chosen[i] = l // includes the values
			for _, list := range []*[]config.Variable{&l.Env, &l.Headers} {
				stored, err := ps.Secrets.Put(*list, nil)
				*list = stored
				why = cmp.Or(why, err)
				if err != nil && !l.Off {
					l.Off = true // its keys are lost when goated quits
					unkept++
				}
			}
			kept[i] = l
		}
		ps.Post(func() { ps.startChosen(chosen, kept, own, unkept, why) })
	})
}

// startChosen saves and starts the chosen servers in the form in which they were stored, and
// reports which of them are off. A server is off if no keyring stores its keys, because it
// would have no keys at the next start.
func (ps importFlow) startChosen(chosen, kept []config.Launch, own []config.Bundled, unkept int, why error) {
	s := *ps.Settings
	off := -unkept
	for i, l := range kept {
		l.Name = config.UnusedName(l.DisplayName(), s.ServerNames(nil))
		s = s.WithStart(l, !l.Off)
		if chosen[i].Name = l.Name; l.Off {
			off++
		}
	}
	ps.Change(s)
	for i, l := range chosen {
		if !kept[i].Off {
			startSaved(ps.Pages, consent.ConfigOf(l))
		}
	}
	var said []string
	say := func(n int, one, many string, args ...any) {
		if n > 0 {
			said = append(said, format.Plural(n, one, many, args...))
		}
	}
	say(len(kept), "Imported 1 server.", "Imported %d servers.")
	for _, b := range own {
		said = append(said, b.Name+" is on.")
	}
	say(off, "1 is off until you enter its values.", "%d are off until you enter their values.")
	if unkept > 0 {
		say(unkept, "1 is off, because goated keeps its keys only until it quits: %[2]s.", "%[1]d are off, because goated keeps their keys only until it quits: %[2]s.", errtext.Plain(why))
	}
	ps.Toasts.Say("plug", strings.Join(said, " "))
}
