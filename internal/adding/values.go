package adding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/paths"
	"goated/internal/wording"
)

// Complete returns a pasted server with the values that its text leaves to the user. They come from
// given, from goated's environment variables and from the user's answers. A value that is still
// unknown stays empty.
func (t Terminal) Complete(ctx context.Context, s launch.Server, inputs []launch.Input, given []config.Variable) config.Launch {
	l := t.standIns(ctx, config.FromTextWithValues(s, inputs, t.inputs(ctx, s, inputs, given)), s, given)
	for _, v := range given {
		if _, input := launch.InputID(v.Name); !input {
			l.Env = append(slices.DeleteFunc(slices.Clone(l.Env), func(o config.Variable) bool { return o.Name == v.Name }), v)
		}
	}
	name := l.DisplayName()
	l.Env = t.values(ctx, name, l.Env, withSecrets(s.Env))
	l.Headers = t.values(ctx, name, l.Headers, withSecrets(s.Remote.Headers))
	return l
}

// standIns returns a server with the user's values in place of the placeholders among its arguments and in
// its address. A value that is not a path is for the keyring.
func (t Terminal) standIns(ctx context.Context, l config.Launch, s launch.Server, given []config.Variable) config.Launch {
	open, values := l.WithoutStandIns(s.Notes), make(map[string]string)
	for _, v := range open.Env[len(l.Env):] {
		id, _ := launch.InputID(v.Name)
		if i := slices.IndexFunc(given, func(g config.Variable) bool { return g.Name == v.Name }); i >= 0 {
			values[v.Name] = given[i].Value
		} else if t.Prompter != nil {
			values[v.Name] = t.askInput(ctx, s.Name, launch.Input{ID: id})
		}
	}
	open = open.WithValues(values)
	for i, v := range open.Env {
		if values[v.Name] != "" {
			open.Env[i] = v.WithSecretRef()
		}
	}
	return open
}

// withSecrets returns variables of a text that ask for empty secrets, too. A server may start without them.
func withSecrets(list []launch.Variable) []launch.Variable {
	out := slices.Clone(list)
	for i, v := range out {
		out[i].Ask = v.Ask || config.IsUnsetSecret(v)
	}
	return out
}

// inputs returns the values of the inputs that a server uses.
func (t Terminal) inputs(ctx context.Context, s launch.Server, list []launch.Input, given []config.Variable) map[string]string {
	values := make(map[string]string)
	for _, in := range s.Asks(list) {
		if i := slices.IndexFunc(given, func(v config.Variable) bool { return v.Name == launch.InputVariable(in.ID) || v.Name == in.ID }); i >= 0 {
			values[in.ID] = given[i].Value
			continue
		}
		values[in.ID] = in.Default
		if t.Prompter == nil {
			continue
		}
		if text := t.askInput(ctx, s.Name, in); text != "" {
			values[in.ID] = text
		}
	}
	return values
}

// askInput asks for the value of one input. If there are options, it asks until the answer is one
// of them.
func (t Terminal) askInput(ctx context.Context, server string, in launch.Input) string {
	question := fmt.Sprintf("%s needs %s", cmp.Or(server, "The server"), wording.InputLabel(in))
	if len(in.Options) > 0 {
		question += " (" + strings.Join(in.Options, ", ") + ")"
	}
	if in.Default != "" {
		question += ", empty for " + in.Default
	}
	for {
		ask := t.Prompter.Line
		if config.IsSecret(in) {
			ask = t.Prompter.Secret
		}
		text, err := ask(ctx, question+": ")
		if text = strings.TrimSpace(text); text != "" && in.Folder() {
			text = paths.Absolute(config.ScriptPath(text, homeDir()))
		}
		if err != nil || text == "" || len(in.Options) == 0 || slices.Contains(in.Options, text) {
			return text
		}
		fmt.Fprintf(t.Aside, "Choose one of %s\n", strings.Join(in.Options, ", "))
	}
}

// values fills in the variables that a text leaves to the user.
func (t Terminal) values(ctx context.Context, server string, list []config.Variable, from []launch.Variable) []config.Variable {
	out := slices.Clone(list)
	for i, v := range out {
		at := slices.IndexFunc(from, func(f launch.Variable) bool {
			return f.Name == v.Name && f.Ask && !strings.Contains(f.Value, "${input:")
		})
		if v.Value != "" || v.Ref != "" || at < 0 {
			continue
		}
		value := os.Getenv(v.Name)
		if value == "" && t.Prompter != nil {
			value, _ = t.Prompter.Secret(ctx, fmt.Sprintf("%s needs %s: ", server, v.Name)) // empty without an answer
		}
		out[i].Value = from[at].Entered(value) // the user enters only the token
	}
	return out
}

// Waiting returns a server to save. If it lacks values, it is off until the user enters them.
func (t Terminal) Waiting(l config.Launch, s launch.Server) config.Launch {
	l, missing := config.MarkMissing(l, s)
	if len(missing) > 0 {
		l.Off = true
		labels := make([]string, len(missing))
		for i, name := range missing {
			labels[i] = wording.InputLabel(launch.Input{ID: name})
		}
		fmt.Fprintf(t.Aside, "%s: %s has no value yet, so the server is off. \"goated servers enable\" asks for it, or enter it in the window%s\n", l.DisplayName(), strings.Join(labels, ", "), waiting(l, missing))
	}
	return l
}

// Enter asks for the missing values of a saved server, and stores the secret ones in the keyring. It
// returns folders by the names of their variables, because they belong in the settings; see
// [config.Launch.WithValues].
func (t Terminal) Enter(ctx context.Context, secrets *config.Secrets, l config.Launch) (folders map[string]string, err error) {
	folders = make(map[string]string)
	for _, list := range [][]config.Variable{l.Env, l.Headers} {
		filled, missing := secrets.Fill(list)
		for _, m := range missing {
			value, err := t.enter(ctx, l.DisplayName(), m.Name)
			if err != nil {
				return nil, err
			}
			i := slices.IndexFunc(filled, func(v config.Variable) bool { return v.Name == m.Name })
			if launch.HoldsFolder(m.Name) {
				folders[m.Name] = paths.Absolute(config.ScriptPath(value, homeDir()))
				filled = slices.Delete(filled, i, i+1)
				continue
			}
			filled[i].Value = value
		}
		if len(missing) == 0 {
			continue
		}
		if _, err := secrets.Put(filled, nil); err != nil {
			return nil, fmt.Errorf("the values of %s can't be kept in the system's keyring: %w", l.DisplayName(), err)
		}
	}
	return folders, nil
}

// enter asks for the value of a server's variable. It echoes the input if the value is a folder.
func (t Terminal) enter(ctx context.Context, server, variable string) (value string, err error) {
	label := wording.VariableLabel(variable)
	if t.Prompter != nil {
		ask := t.Prompter.Secret
		if launch.HoldsFolder(variable) {
			ask = t.Prompter.Line
		}
		value, err = ask(ctx, fmt.Sprintf("%s needs %s: ", server, label))
	}
	if value = strings.TrimSpace(value); err == nil && value == "" {
		err = fmt.Errorf("the server %s needs %s. Run this in a terminal, or enter the value in the window", server, label)
	}
	return value, err
}

// Without removes the variables without a value from a server that is not saved, because the
// server's own error describes best what it lacks. It returns an error for an input that the
// server's arguments or URL need.
func (t Terminal) Without(l config.Launch, s launch.Server) (config.Launch, error) {
	var err error
	rest := func(list []config.Variable, from []launch.Variable, header bool) []config.Variable {
		return slices.DeleteFunc(slices.Clone(list), func(v config.Variable) bool {
			at := slices.IndexFunc(from, func(f launch.Variable) bool { return f.Name == v.Name })
			left := slices.ContainsFunc(from, func(f launch.Variable) bool { return f.Name == v.Name && f.Ask })
			id, input := launch.InputID(v.Name)
			switch {
			case v.Value != "" || v.Ref != "" || !left && !input:
				return false
			case input:
				err = errors.Join(err, inputMissing(l, id))
			case header:
				fmt.Fprintln(t.Aside, headerMissing(l.DisplayName(), from[at]))
			default:
				fmt.Fprintf(t.Aside, "%s: %s has no value. Set it with --env %s=value after its --server\n", l.DisplayName(), v.Name, v.Name)
			}
			return true
		})
	}
	l.Env, l.Headers = rest(l.Env, s.Env, false), rest(l.Headers, s.Remote.Headers, true)
	return l, err
}
