package servers

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/transfer"
	"goated/internal/wording"
	"goated/ui/kit"
	"goated/ui/runconfig"
)

// An importValue is the field for a value that a server of another client needs.
type importValue struct {
	name  string // the name of the variable, or of the variable that stands for an input
	field *kit.Input
}

// valueFields returns the fields for the values that a server needs. They appear below the
// server after the user chooses it.
func (l *ImportList) valueFields(r *importRow) *fyne.Container {
	rows := kit.Vertical(6)
	add := func(name, label, hint, value string, secret bool) {
		in := kit.NewInput(l.clock, cmp.Or(hint, label), false)
		in.SetText(value)
		in.Password = secret
		r.values = append(r.values, importValue{name, in})
		field := kit.NewField(in)
		rows.Add(container.New(kit.Row{Gap: 8, Flex: field}, kit.Sized(170, 20, kit.NewLabel(label, 12, kit.ColorText).Elided()), field))
	}
	server := r.entry.Server
	for _, in := range server.Asks(r.inputs) {
		add(launch.InputVariable(in.ID), wording.InputLabel(in), strings.Join(in.Options, ", "), in.Default, config.IsSecret(in))
	}
	for _, v := range slices.Concat(server.Env, server.Remote.Headers) {
		if slices.Contains(r.draft.Missing, v.Name) && v.Ask && !runconfig.Composes(v) {
			add(v.Name, v.Name, cmp.Or(tokenHint(v), v.Prompt), "", v.Secret || (config.Variable{Name: v.Name}).Secret())
		}
	}
	return rows
}

// entered returns a function that reports whether the user entered a value.
func (l *ImportList) entered() func() bool {
	var fields []*kit.Input
	for _, r := range l.rows {
		for _, v := range r.values {
			fields = append(fields, v.field)
		}
	}
	return kit.Typed(fields...)
}

// filled returns the server with the values that the user entered.
func (r *importRow) filled() config.Launch {
	values := make(map[string]string)
	for _, v := range r.values {
		values[v.name] = strings.TrimSpace(v.field.Text)
	}
	inputs := defaults(r.inputs)
	for _, in := range r.inputs {
		if v := values[launch.InputVariable(in.ID)]; v != "" {
			inputs[in.ID] = v
		}
	}
	draft := transfer.Drafted(r.entry.Server, r.inputs, inputs)
	enter := func(list []config.Variable, from []launch.Variable) {
		for i, v := range list {
			at := slices.IndexFunc(from, func(f launch.Variable) bool { return f.Name == v.Name })
			if given := values[v.Name]; v.Value == "" && given != "" && at >= 0 {
				list[i].Value = from[at].Entered(given)
			}
		}
	}
	enter(draft.Env, r.entry.Server.Env)
	enter(draft.Headers, r.entry.Server.Remote.Headers)
	return draft.Launch
}
