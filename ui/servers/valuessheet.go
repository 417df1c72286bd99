package servers

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/launch"
	"goated/internal/wording"
	"goated/ui/kit"
)

// LacksValue reports whether a saved server lacks a value. It may block on the keyring.
func (ps *Pages) LacksValue(l config.Launch) bool {
	_, missing := ps.Secrets.Fill(slices.Concat(l.Env, l.Headers))
	return len(missing) > 0
}

// askValues opens a sheet with a field for each value that a saved server lacks. It starts the
// server with them and with the values in l. If the user closes the sheet, the server is turned
// off, because it cannot start. A failed server stays on, because its row already shows what is
// missing.
func (f connectFlow) askValues(saved, l config.Launch, missing []config.Missing) {
	var s *kit.Sheet
	problem := kit.Vertical(0)
	fields := make([]*kit.Input, len(missing))
	enter := func() {
		values := make(map[string]string)
		for i, m := range missing {
			if values[m.Name] = strings.TrimSpace(fields[i].Text); values[m.Name] == "" {
				problem.Objects = []fyne.CanvasObject{kit.NewText("Enter "+wording.VariableLabel(m.Name)+".", 13, 19, kit.ColorWarn)}
				s.Refit()
				kit.Focus(fields[i])
				return
			}
		}
		f.Sheets.Shut(s)
		f.startWith(l, values)
	}
	rows := kit.Vertical(0, problem)
	for i, m := range missing {
		in := kit.NewInput(f.Clock, wording.VariableLabel(m.Name), false)
		in.Password = !launch.HoldsFolder(m.Name)
		in.OnSubmit = enter
		fields[i] = in
		rows.Add(kit.Inset(kit.Margin{Top: 10, Right: 0, Bottom: 6, Left: 0}, kit.NewLabel(wording.VariableLabel(m.Name), 13, kit.ColorText).Strong()))
		rows.Add(kit.NewField(in))
	}
	note := "goated keeps them in the system's keyring."
	if !f.Secrets.Persistent() {
		note = "This system has no keyring, so goated keeps them only until it quits."
	}
	words := kit.NewLabel(note, 13, kit.ColorMuted).Elided()
	cancel := func() {
		f.Sheets.Shut(s)
		failed := slices.ContainsFunc(f.Snapshot.Servers, func(s client.Server) bool { return s.Status == client.Failed && saved.Same(consent.LaunchOfServer(s)) })
		if !failed && slices.ContainsFunc(f.Settings.Launch, saved.Same) { // another process may have removed it in the meantime
			f.Change(f.Settings.WithStart(saved, false))
		}
	}
	s = kit.NewSheet(560, "Values of "+l.DisplayName(), rows, kit.Horizontal(8, words, words,
		kit.NewButton(kit.Outline, "", "Cancel", cancel).Keyed("Esc"), kit.NewButton(kit.Primary, "plug", "Start", enter).Keyed("Enter")))
	s.OnClose, s.First = cancel, fields[0]
	s.Holds = func() bool { return slices.ContainsFunc(fields, func(in *kit.Input) bool { return in.Text != "" }) }
	f.Sheets.Open(s)
}

// startWith saves the values that the user entered, and starts the server.
func (f connectFlow) startWith(l config.Launch, values map[string]string) {
	was := l
	l = l.WithValues(values)
	f.storeSecrets(l, func(kept config.Launch) { f.Change(f.Settings.WithReplaced(was, kept)) })
	start := f.configOf(l)
	startSaved(f.Pages, start)
}
