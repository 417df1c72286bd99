package launch

import (
	"net/url"
	"slices"
	"strings"

	"goated/internal/authscheme"
	"goated/internal/launch/commandtext"
	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// inputName is the prefix of the names of variables that hold the values of inputs: see
// [goated/internal/config.FromTextWithValues].
const inputName = "input:"

// InputVariable returns the name of the variable that holds the value of an input.
func InputVariable(id string) string { return inputName + id }

// InputID returns the id of the input whose value a variable holds. ok is false for other variables.
func InputID(variable string) (id string, ok bool) { return strings.CutPrefix(variable, inputName) }

// HoldsFolder reports whether a variable holds the value of an input that is a folder or a path.
func HoldsFolder(variable string) bool {
	id, ok := InputID(variable)
	return ok && Input{ID: id}.Folder()
}

// Folder reports whether an input stands for a folder that editors define, or for a path of the user.
// Such an input is not secret.
func (in Input) Folder() bool {
	switch in.ID {
	case "workspaceFolder", "workspaceRoot", "cwd", "userHome":
		return true
	}
	_, own := placeholder.Path(in.ID)
	return own
}

// ShownFolders restores the references to editor folders and the placeholder paths in a text to the
// form that a configuration uses.
func ShownFolders(text string) string {
	return inputRef.ReplaceAllStringFunc(text, func(ref string) string {
		in := Input{ID: inputRef.FindStringSubmatch(ref)[1]}
		switch path, own := placeholder.Path(in.ID); {
		case own:
			return path
		case in.Folder():
			return "${" + in.ID + "}"
		}
		return ref
	})
}

// Between splits a text at its references to inputs. It returns one part if there are none.
func Between(text string) []string { return inputRef.Split(text, -1) }

// Ref returns the reference with which a text refers to an input.
func (in Input) Ref() string { return "${input:" + in.ID + "}" }

var (
	inputRef = lazyregexp.New(`\$\{input:([\w.-]+)\}`)
	// wholeRef matches a value that consists of one environment variable.
	wholeRef = lazyregexp.New(`^(?:\$\{(?:env:)?([A-Za-z_]\w*)\}|\{env:([A-Za-z_]\w*)\}|\$([A-Z_][A-Z0-9_]*)|\$\{\{\s*\w+\.([A-Za-z_]\w*)\s*\}\})$`)
	// shellRef matches a variable in shell syntax after the scheme of a token.
	shellRef = lazyregexp.New(`(?i)^((?:bearer|basic|token) )\$([a-z_][a-z0-9_]*)$`)
	// anyRef matches a reference that has not been replaced.
	anyRef = lazyregexp.New(`\$\{(?:(env|input|config|command):)?([A-Za-z_][\w.-]*)\}|\{env:([A-Za-z_]\w*)\}|\$\{\{\s*\w+\.([A-Za-z_]\w*)\s*\}\}`)
)

// editorRef matches a reference of an editor, which a shell would take for a reference of its own.
var editorRef = lazyregexp.New(`\$\{((?:input|env|config|command):[\w.:-]+)\}`)

// openRef and closeRef replace ${ and } of such a reference while the words of a shell are parsed.
const openRef, closeRef = "\ue000", "\ue001"

// hideRefs hides the references of editors from the shell parser. showRefs undoes that.
func hideRefs(text string) string {
	return editorRef.ReplaceAllString(strings.ReplaceAll(text, "${/}", "/"), openRef+"$1"+closeRef)
}

var showRefs = strings.NewReplacer(openRef, "${", closeRef, "}")

// asking returns a reading that asks the user for each reference without a value. Otherwise the server
// would receive the text of the reference.
func (r Reading) asking(sys System) Reading {
	r.Servers, r.Inputs = slices.Clone(r.Servers), slices.Clone(r.Inputs)
	for i, s := range r.Servers {
		for _, in := range s.inputs {
			r.addInput(in)
		}
		s.inputs = nil
		if s.Kind == Program || s.Kind == Remote {
			s = r.asks(s, sys)
		}
		r.Servers[i] = s
	}
	return r
}

// Asking replaces each reference without a value with an input. It returns the changed server and the
// extended list of inputs.
func (s Server) Asking(inputs []Input, sys System) (Server, []Input) {
	r := Reading{Servers: []Server{s}, Inputs: inputs}.asking(sys)
	return r.Servers[0], r.Inputs
}

func (r *Reading) addInput(in Input) {
	if !slices.ContainsFunc(r.Inputs, func(have Input) bool { return have.ID == in.ID }) {
		r.Inputs = append(r.Inputs, in)
	}
}

// asks replaces the references of a server to unset variables with inputs.
func (r *Reading) asks(s Server, sys System) Server {
	own := func(name string) bool { // the program replaces the reference itself, as mcp-remote does
		return slices.ContainsFunc(s.Env, func(v Variable) bool { return v.Name == name })
	}
	ask := func(text string, secret bool) string {
		return anyRef.ReplaceAllStringFunc(text, func(ref string) string {
			m := anyRef.FindStringSubmatch(ref)
			name := m[2] + m[3] + m[4]
			if m[1] == "" && m[2] != "" && own(name) {
				return ref
			}
			if value, ok := sys.env(name); ok && (m[1] == "env" || m[3] != "") {
				return value
			}
			in := Input{ID: name, Secret: secret}
			r.addInput(in)
			return in.Ref()
		})
	}
	variables := func(list []Variable) []Variable {
		out := slices.Clone(list)
		for i, v := range out {
			switch m := wholeRef.FindStringSubmatch(v.Value); {
			case m != nil && !own(m[1]) || m != nil && m[1] == v.Name:
				out[i].Value, out[i].Ask, out[i].Prompt = "", true, strings.Join(m[1:], "")
			case !v.Ask || inputRef.MatchString(v.Value):
				out[i].Value = ask(shellRef.ReplaceAllString(v.Value, "$1$${env:$2}"), v.Secret || strings.EqualFold(v.Name, "Authorization"))
				out[i].Ask = v.Ask || inputRef.MatchString(out[i].Value)
			}
		}
		return out
	}
	s.Env, s.Remote.Headers = variables(s.Env), variables(s.Remote.Headers)
	s.Remote.URL, s.Dir = ask(s.Remote.URL, false), ask(s.Dir, false)
	if (commands{sys}).ownProgram(s.Command) {
		in := Input{ID: placeholder.PathInput(s.Command)}
		r.addInput(in)
		s.Command = in.Ref()
	}
	args := slices.Clone(s.Args)
	for i, a := range args {
		if i == 0 || args[i-1] != "-c" || !shells[commandtext.ProgramName(s.Command)] { // a shell replaces its own references
			args[i] = ask(a, false)
		}
	}
	s.Args = args
	return s
}

// shells are the programs that run the text after -c.
var shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "dash": true}

// Asks returns the inputs in list whose values the server needs.
func (s Server) Asks(list []Input) (used []Input) {
	for _, in := range list {
		uses := func(text string) bool { return strings.Contains(text, in.Ref()) }
		of := func(v Variable) bool { return uses(v.Value) }
		if uses(s.Command) || uses(s.Remote.URL) || uses(s.Dir) || slices.ContainsFunc(s.Args, uses) || slices.ContainsFunc(s.Env, of) || slices.ContainsFunc(s.Remote.Headers, of) {
			used = append(used, in)
		}
	}
	return used
}

// Filled returns the words of a command and the variables with the values of inputs filled in. own
// omits the variables that hold these values. env has the form of os.Environ.
func Filled(words, env []string) (filled, own []string) {
	pairs, own := inputPairs(env, func(v string) string { return v })
	if len(pairs) == 0 {
		return words, env
	}
	fill := strings.NewReplacer(pairs...)
	for _, w := range words {
		filled = append(filled, fill.Replace(w))
	}
	for i, kv := range own {
		own[i] = fill.Replace(kv)
	}
	return filled, own
}

// FilledHeaders returns headers with the values of inputs filled in. headers and env have the form of
// os.Environ.
func FilledHeaders(headers, env []string) []string {
	filled, _ := Filled(headers, env)
	return filled
}

// Entered returns the value of a variable for which the user entered a text. If a scheme such as
// "Bearer" precedes the placeholder, the user may enter only the token.
func (v Variable) Entered(text string) string {
	if scheme, _ := authscheme.CutStandIn(v.Prompt); scheme != "" {
		return authscheme.Join(scheme, text)
	}
	return text
}

// FilledURL returns an address with the values of inputs filled in. The values are escaped, so they
// cannot change the structure of the URL, unless one is the whole address.
func FilledURL(address string, env []string) string {
	pairs, _ := inputPairs(env, func(v string) string {
		if webAddress.MatchString(v) && strings.HasPrefix(address, "${") {
			return v
		}
		return strings.ReplaceAll(url.QueryEscape(v), "+", "%20")
	})
	return strings.NewReplacer(pairs...).Replace(address)
}

// pairs returns each form of a reference to an input, followed by its replacement. If the value has its
// own scheme, such as "Basic", that scheme replaces the one in the text.
func (in Input) pairs(value string) (out []string) {
	if scheme, token := authscheme.Cut(value); scheme != "" && token != "" {
		for _, s := range []string{scheme, "Bearer", "bearer", "BEARER", "Basic", "basic", "BASIC", "Token", "token", "TOKEN"} {
			out = append(out, s+" "+in.Ref(), authscheme.Join(s, value))
		}
	}
	return append(out, in.Ref(), value)
}

// inputPairs returns the references to inputs, each followed by its value. own contains the other
// variables.
func inputPairs(env []string, write func(string) string) (pairs, own []string) {
	for _, kv := range env {
		id, given := InputID(kv)
		if name, value, ok := strings.Cut(id, "="); given && ok {
			pairs = append(pairs, Input{ID: name}.pairs(write(value))...)
			continue
		}
		own = append(own, kv)
	}
	return pairs, own
}
