package adding

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/authscheme"
	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/lazyregexp"
	"goated/internal/shellword"
	"goated/internal/transfer"
	"goated/internal/wording"
)

// Given applies the values of --env and --header to the headers and the URL of a pasted server. It
// returns the server, its inputs, and the variables that [Terminal.Complete] still needs, such as
// those for the sign-in. It returns an error for a variable that the server does not use.
func Given(s launch.Server, inputs []launch.Input, env, headers []config.Variable) (launch.Server, []launch.Input, []config.Variable, error) {
	if s.Remote.URL == "" {
		return s, inputs, env, noHeaders(s.Name, headers)
	}
	list := slices.Clone(s.Remote.Headers)
	for _, h := range headers {
		list = slices.DeleteFunc(list, func(o launch.Variable) bool { return strings.EqualFold(o.Name, h.Name) })
		list = append(list, launch.Variable{Name: h.Name, Value: h.Value})
	}
	s.Remote.Headers = list
	s, inputs = s.Asking(inputs, launch.Here(nil)) // a header from --header can refer to a variable, too
	list = s.Remote.Headers
	var rest []config.Variable
	for _, v := range env {
		used := v.ForSignIn()
		if used {
			rest = append(rest, v)
		}
		for i, h := range list {
			if strings.EqualFold(h.Name, v.Name) || h.Ask && lacks(h) == v.Name {
				list[i].Value, list[i].Ask, used = h.Entered(v.Value), false, true
			}
		}
		for _, in := range s.Asks(inputs) {
			if in.ID == v.Name || launch.InputVariable(in.ID) == v.Name {
				rest, used = append(rest, config.Variable{Name: launch.InputVariable(in.ID), Value: v.Value}), true
			}
		}
		if !used {
			return s, inputs, nil, noVariables(s.Name, v.Name)
		}
	}
	return s, inputs, rest, nil
}

// Passed returns a saved server with the values of --env and --header applied for one start.
func Passed(l config.Launch, env, headers []config.Variable) (config.Launch, error) {
	l.Env, l.Headers = slices.Clone(l.Env), slices.Clone(l.Headers)
	set := func(list *[]config.Variable, v config.Variable) {
		*list = append(slices.DeleteFunc(*list, func(o config.Variable) bool { return strings.EqualFold(o.Name, v.Name) }), v)
	}
	fills := func(v config.Variable) bool { // reports whether v is the value of an input
		input := launch.InputVariable(strings.TrimPrefix(v.Name, launch.InputVariable("")))
		has := slices.ContainsFunc(l.Env, func(o config.Variable) bool { return o.Name == input })
		switch {
		case has && launch.HoldsFolder(input): // the command has it
			l = l.WithValues(map[string]string{input: v.Value})
		case has:
			set(&l.Env, config.Variable{Name: input, Value: v.Value})
		}
		return has
	}
	if l.URL == "" {
		for _, v := range env {
			if fills(v) {
				continue
			}
			l.Env = append(slices.DeleteFunc(l.Env, func(o config.Variable) bool { return o.Name == v.Name }), v)
		}
		return l, noHeaders(l.DisplayName(), headers)
	}
	for _, h := range headers {
		set(&l.Headers, h)
	}
	for _, v := range env {
		switch {
		case v.ForSignIn():
			set(&l.Env, v)
		case refers(l.Headers, v):
		case slices.ContainsFunc(l.Headers, func(o config.Variable) bool { return strings.EqualFold(o.Name, v.Name) }):
			set(&l.Headers, v)
		case fills(v):
		default:
			return l, noVariables(l.DisplayName(), v.Name)
		}
	}
	for _, h := range headers {
		if i := slices.IndexFunc(l.Headers, func(o config.Variable) bool { return o.Name == h.Name }); i >= 0 {
			if open := reference.FindStringSubmatch(l.Headers[i].Value); open != nil {
				return l, fmt.Errorf("the header %s has no value for ${%s}. Set it with --env %[2]s=value", h.Name, open[1])
			}
		}
	}
	return l, nil
}

// reference matches a variable in the value of a header.
var reference = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// refers replaces references to a variable in the headers, and reports whether there were any.
func refers(headers []config.Variable, v config.Variable) (used bool) {
	for i, h := range headers {
		if ref := "${" + v.Name + "}"; strings.Contains(h.Value, ref) {
			headers[i].Value, used = strings.ReplaceAll(h.Value, ref, v.Value), true
		}
	}
	return used
}

func noHeaders(server string, headers []config.Variable) error {
	if len(headers) == 0 {
		return nil
	}
	return fmt.Errorf("the server %s starts with a command, so it takes no headers. To set a variable for it, write --env NAME=value", server)
}

func noVariables(server, name string) error {
	return fmt.Errorf("the server %s has a URL and does not use the variable %s. To set a header, write --header 'Name: value'", server, name)
}

// variable matches the name of a variable, as in ${TOKEN}.
var variable = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// lacks returns the name of the variable that a header needs, or the header's own name if it needs
// none.
func lacks(h launch.Variable) string {
	if _, name := authscheme.CutStandIn(h.Prompt); variable.MatchString(name) {
		return name
	}
	return h.Name
}

// PassFlags returns the flags that pass a server's secret variables and headers at a start.
func PassFlags(l config.Launch) (out string) {
	for _, v := range l.Env {
		if v.Secret() && v.Value != "" {
			out += " --env " + v.Name
		}
	}
	for _, h := range l.Headers {
		out += " --header " + shellword.Quote(h.Name+": value")
	}
	return out
}

// InTheClear prints a warning for each secret in a server's arguments and URL. Without a keyring,
// goated saves them in the settings. The warning explains how to keep them out.
func (t Terminal) InTheClear(l config.Launch) {
	for _, v := range l.WithoutSecrets().Env {
		id, input := launch.InputID(v.Name)
		if !input || slices.ContainsFunc(l.Env, func(o config.Variable) bool { return o.Name == v.Name }) {
			continue
		}
		name, word := transfer.Reference(id), shellword.Quote(l.DisplayName())
		fmt.Fprintf(t.Aside, "%s: the value of %s looks like a secret. This system has no keyring, so goated saves it in the settings, where it is readable. "+
			"To keep it out, remove the server with \"goated servers remove %s\", add it with '${%s}' in place of the value, and pass the value at each start: --server %s --env %s=value\n", l.DisplayName(), id, word, name, word, name)
	}
}

// waiting explains how to pass the missing values of a saved server at each start, which needs no
// keyring.
func waiting(l config.Launch, missing []string) (out string) {
	for _, v := range l.Env {
		if name := strings.TrimPrefix(v.Name, launch.InputVariable("")); slices.Contains(missing, name) {
			out += " --env " + name + "=value"
		}
	}
	for _, h := range l.Headers {
		if slices.Contains(missing, h.Name) {
			out += " --header " + shellword.Quote(h.Name+": value")
		}
	}
	if out != "" {
		out = ", or pass what it lacks at each start: --server " + shellword.Quote(l.DisplayName()) + out
	}
	return out
}

// headerMissing returns an error that explains how to set a header without a value.
func headerMissing(server string, h launch.Variable) error {
	if name := lacks(h); name != h.Name {
		return fmt.Errorf("%s: %s, for the header %s, has no value. Set it with --env %s=value after its --server", server, name, h.Name, name)
	}
	return errors.New(server + ": the header " + h.Name + " has no value. Set it with --header " + shellword.Quote(h.Name+": value") + " after its --server")
}

// inputMissing returns an error that explains how to set the value of an input, which may be part
// of a header.
func inputMissing(l config.Launch, id string) error {
	if i := slices.IndexFunc(l.Headers, func(h config.Variable) bool { return strings.Contains(h.Value, launch.Input{ID: id}.Ref()) }); i >= 0 {
		return headerMissing(l.DisplayName(), launch.Variable{Name: l.Headers[i].Name, Prompt: id})
	}
	return fmt.Errorf("the server %s needs %s. Set it with --env %s=value after its --server", l.DisplayName(), wording.InputLabel(launch.Input{ID: id}), launch.InputVariable(id))
}

// Lacking returns the flags that set the variables that a server needs to run, or "" for any other
// failure.
func Lacking(err error) (out string) {
	var e *client.Error
	if !errors.As(err, &e) || e.Report == nil || e.Report.Cause != diagnose.VariableMissing && e.Report.Cause != diagnose.ValueMissing {
		return ""
	}
	for word := range strings.FieldsFuncSeq(e.Report.Args.Subject, func(r rune) bool { return r == ' ' || r == ',' || r == '/' }) {
		if variable.MatchString(word) && strings.ToUpper(word) == word {
			out += " --env " + word + "=…"
		}
	}
	return out
}
