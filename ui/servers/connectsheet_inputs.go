package servers

import (
	"slices"
	"strings"

	"goated/internal/authscheme"
	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/wording"
	"goated/ui/kit"
	"goated/ui/runconfig"
)

// inputs returns the values that the servers in the text need, such as ${input:token}.
func (u *understanding) inputs() (out []launch.Input) {
	for _, s := range u.read.Servers {
		for _, in := range s.Asks(u.read.Inputs) {
			if !slices.ContainsFunc(out, func(have launch.Input) bool { return have.ID == in.ID }) {
				out = append(out, in)
			}
		}
	}
	return append(out, u.standIns()...)
}

// standIns returns an input for each placeholder among the arguments of the only server, such
// as /Users/username/Desktop. The server must not start with the placeholder.
func (u *understanding) standIns() (out []launch.Input) {
	if len(u.read.Servers) != 1 {
		return nil
	}
	s := u.read.Servers[0]
	for _, v := range (config.Launch{Args: s.Args, URL: s.Remote.URL}).WithoutStandIns(s.Notes).Env {
		id, _ := launch.InputID(v.Name)
		out = append(out, launch.Input{ID: id})
	}
	return out
}

// withPlaceholderValues returns the only server with the user's values in place of its placeholders. A path
// becomes part of the server's arguments. The other values are stored in the keyring.
func (u *understanding) withPlaceholderValues(l config.Launch, values map[string]string) config.Launch {
	asked := make(map[string]string)
	for _, in := range u.standIns() {
		asked[launch.InputVariable(in.ID)] = values[in.ID]
	}
	l = l.WithoutStandIns(u.read.Servers[0].Notes).WithValues(asked)
	for i, v := range l.Env {
		if asked[v.Name] != "" {
			l.Env[i] = v.WithSecretRef()
		}
	}
	return l
}

// describeInputs passes the inputs of the text to the fields, so that they show what to enter
// and hide secrets.
func (c *connectSheet) describeInputs() {
	c.form.Vars.Inputs = make(map[string]launch.Input)
	for _, in := range c.read.inputs() {
		c.form.Vars.Inputs[launch.InputVariable(in.ID)] = in
	}
	for _, v := range c.read.openVariables() {
		if hint := tokenHint(v); hint != "" {
			c.form.Vars.Inputs[v.Name] = launch.Input{ID: v.Name, Prompt: hint, Secret: true}
		}
	}
	for _, r := range c.form.Vars.Rows {
		r.Describe(c.form.Vars.Inputs)
	}
}

// tokenHint returns a hint for a value that has a scheme before a token. It returns "" if the
// value has no scheme.
func tokenHint(v launch.Variable) string {
	if scheme, _ := authscheme.CutStandIn(v.Prompt); scheme != "" {
		return "the token, without " + scheme
	}
	return ""
}

// inputValues returns the values that the user entered for inputs, by the inputs' IDs.
func (c *connectSheet) inputValues() map[string]string {
	values := make(map[string]string)
	for _, v := range c.form.Vars.Entered() {
		if id, ok := launch.InputID(v.Name); ok {
			if values[id] = v.Value; launch.HoldsFolder(v.Name) {
				values[id] = config.ScriptPath(v.Value, c.home)
			}
		}
	}
	return values
}

// lacksInput reports whether an input has no value, or a value that is not one of its options.
// If so, it shows a message about it. Among several servers, a server without its own path does
// not count, because it stays off until the user enters the path.
func (c *connectSheet) lacksInput(values map[string]string) bool {
	for _, in := range c.read.inputs() {
		name, value := launch.InputVariable(in.ID), values[in.ID]
		switch {
		case value == "" && len(c.read.read.Servers) > 1 && in.Folder():
			continue
		case value == "":
			c.offerVariables()
			c.showMessage("It needs "+wording.InputLabel(in)+".", "Enter a value for "+wording.InputName(in)+".")
		case len(in.Options) > 0 && !slices.Contains(in.Options, value):
			c.showMessage(value+" is not a value of "+wording.InputName(in)+".", "Choose one of "+strings.Join(in.Options, ", ")+".")
		default:
			continue
		}
		c.showExtra(true)
		if row := c.form.Vars.Find(name); row != nil {
			kit.Focus(row.Value)
		}
		return true
	}
	return false
}

// withInputs returns the entered variables together with the variables that consist of inputs.
func withInputs(entered []config.Variable, s launch.Server, filled, l config.Launch) []config.Variable {
	composed := func(name string) bool {
		return slices.ContainsFunc(slices.Concat(s.Env, s.Remote.Headers), func(v launch.Variable) bool { return v.Name == name && runconfig.Composes(v) })
	}
	text := strings.Join(append(config.Environ(entered), append(slices.Clone(l.Args), l.URL, l.Dir)...), "\n")
	var out []config.Variable
	for _, v := range entered {
		id, input := launch.InputID(v.Name)
		if !input || strings.Contains(text, launch.Input{ID: id}.Ref()) {
			out = append(out, v)
		}
	}
	for _, v := range slices.Concat(filled.Env, filled.Headers) {
		at := slices.IndexFunc(out, func(o config.Variable) bool { return o.Name == v.Name })
		_, input := launch.InputID(v.Name)
		switch {
		case at >= 0 && input && out[at].Ref == "":
			out[at].Ref = v.Ref
		case at < 0 && (input || composed(v.Name)):
			out = append(out, v)
		}
	}
	return out
}

// isHeader reports whether a variable of a server with a URL is a header. Other variables hold
// the value of an input or are for the sign-in.
func isHeader(v config.Variable) bool {
	_, input := launch.InputID(v.Name)
	return !input && !v.ForSignIn()
}
