package config

import (
	"crypto/rand"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"goated/internal/authscheme"
	"goated/internal/launch"
	"goated/internal/lazyregexp"
)

// WithSecretRef returns the variable with a reference for the keyring, regardless of its name. It keeps an
// existing reference.
func (v Variable) WithSecretRef() Variable {
	if v.Ref == "" {
		v.Ref = "server-" + rand.Text()
	}
	return v
}

// IsSecret reports whether the value of an input is a secret: the text says so, or its name does.
func IsSecret(in launch.Input) bool {
	return !in.Folder() && (in.Secret || Variable{Name: in.ID}.Secret())
}

// FromTextWithValues returns [FromText] of a server after replacing the inputs that it uses by their values. A
// secret value does not become part of an argument or of the URL: ${input:ID} stays there, and a
// variable named by [launch.InputVariable] holds the value. FromTextWithValues does the same for an input
// without a value, which the user still has to enter. It does not change a variable or header in
// which text surrounds such an input, as in "Bearer ${input:ID}", so that the server gets the text,
// too.
func FromTextWithValues(s launch.Server, list []launch.Input, values map[string]string) Launch {
	used, plain, given := s.Asks(list), make(map[string]string), make(map[string]string)
	for _, in := range used {
		if v := values[in.ID]; v != "" {
			if given[in.ID] = v; !IsSecret(in) {
				plain[in.ID] = v
			}
		}
	}
	full, open := s.Fill(given), s.Fill(plain)
	l := FromText(full)
	if full.Command != s.Command {
		l = l.asScript()
	}
	l.Args, l.URL, l.Dir = open.Args, open.Remote.URL, open.Dir
	lacks := func(v launch.Variable) bool {
		return slices.ContainsFunc(used, func(in launch.Input) bool {
			return given[in.ID] == "" && v.Value != in.Ref() && strings.Contains(v.Value, in.Ref())
		})
	}
	keep := func(to []Variable, from, texts []launch.Variable) (kept []launch.Variable) {
		for i, v := range from {
			if lacks(v) {
				to[i].Value = texts[i].Value
				kept = append(kept, texts[i])
			}
		}
		return kept
	}
	rest := open
	rest.Env, rest.Remote.Headers = keep(l.Env, s.Env, open.Env), keep(l.Headers, s.Remote.Headers, open.Remote.Headers)
	for _, in := range used {
		of := func(v launch.Variable) bool { return strings.Contains(v.Value, in.Ref()) && !lacks(v) }
		if IsSecret(in) && given[in.ID] != "" {
			for _, pair := range []struct {
				to   []Variable
				from []launch.Variable
			}{{l.Env, s.Env}, {l.Headers, s.Remote.Headers}} {
				for i := range pair.to {
					if of(pair.from[i]) {
						pair.to[i] = pair.to[i].WithSecretRef()
					}
				}
			}
		}
		if len(rest.Asks([]launch.Input{in})) > 0 {
			v := Variable{Name: launch.InputVariable(in.ID), Value: given[in.ID]}
			if v.Value != "" {
				v = v.WithSecretRef()
			}
			l.Env = append(l.Env, v)
		}
	}
	return l
}

// MarkMissing returns the server with a keyring reference for each value that the text leaves to the
// user and that is still missing. goated then asks for it before the server starts. MarkMissing also
// returns the names of these values.
func MarkMissing(l Launch, s launch.Server) (Launch, []string) {
	var missing []string
	var asked []Variable
	mark := func(list []Variable, from []launch.Variable) []Variable {
		out := slices.Clone(list)
		for i, v := range out {
			if in, template, ok := tokenAfterScheme(v, from); ok {
				out[i].Value = template
				asked = append(asked, Variable{Name: launch.InputVariable(in.ID)}.WithSecretRef())
				missing = append(missing, in.ID)
				continue
			}
			_, input := launch.InputID(v.Name)
			left := slices.ContainsFunc(from, func(f launch.Variable) bool { return f.Name == v.Name && f.Ask })
			if v.Value == "" && v.Ref == "" && (input || left) {
				out[i] = v.WithSecretRef()
				missing = append(missing, strings.TrimPrefix(v.Name, launch.InputVariable("")))
			}
		}
		return out
	}
	l.Env, l.Headers = mark(l.Env, s.Env), mark(l.Headers, s.Remote.Headers)
	for _, v := range asked {
		if !slices.ContainsFunc(l.Env, func(o Variable) bool { return o.Name == v.Name }) {
			l.Env = append(l.Env, v)
		}
	}
	return l, missing
}

// WithValues returns the server with the values that the user entered. values maps the names of variables
// to them. A folder of an editor becomes part of the command, because it is not secret and does not
// belong in the keyring.
func (l Launch) WithValues(values map[string]string) Launch {
	var pairs []string
	set := func(list []Variable) (out []Variable) {
		for _, v := range list {
			if value := values[v.Name]; value != "" {
				v.Value = value
				if in, ok := launch.InputID(v.Name); ok && (launch.Input{ID: in}).Folder() {
					pairs = append(pairs, launch.Input{ID: in}.Ref(), value)
					continue
				}
			}
			out = append(out, v)
		}
		return out
	}
	l.Env, l.Headers = set(l.Env), set(l.Headers)
	fill, command := strings.NewReplacer(pairs...), l.Command
	l.Command, l.Args, l.URL, l.Dir = fill.Replace(l.Command), slices.Clone(l.Args), fill.Replace(l.URL), fill.Replace(l.Dir)
	for i, a := range l.Args {
		l.Args[i] = fill.Replace(a)
	}
	for i, v := range l.Env {
		l.Env[i].Value = fill.Replace(v.Value)
	}
	if l.Command != command {
		l = l.asScript()
	}
	return l
}

// asScript returns the server with its program as its script, if goated knows how to run that file. A
// text does not say which it is if it leaves the path to the user.
func (l Launch) asScript() Launch {
	switch filepath.Ext(l.Command) {
	case ".py", ".js", ".go":
		if filepath.IsAbs(l.Command) && !strings.Contains(l.Command, "${") {
			l.Path, l.Command = l.Command, ""
		}
	}
	return l
}

// tokenAfterScheme returns an input for the token of a header without a value, and the header's text
// with that input. It reports false if the server's text has no authentication scheme there. The
// settings do not keep that text, so without this the server would get the token without the scheme.
func tokenAfterScheme(v Variable, from []launch.Variable) (in launch.Input, template string, ok bool) {
	at := slices.IndexFunc(from, func(f launch.Variable) bool { return f.Name == v.Name && f.Ask })
	if at < 0 || v.Value != "" || v.Ref != "" {
		return in, "", false
	}
	_, name := authscheme.CutStandIn(from[at].Prompt)
	in.ID = inputName(name)
	template = from[at].Entered(in.Ref())
	return in, template, template != in.Ref()
}

// withoutInputRefs returns the text of a value without its references to inputs, and reports whether it has
// any.
func withoutInputRefs(value string) (rest string, ok bool) {
	parts := launch.Between(value)
	return strings.TrimSpace(strings.Join(parts, "")), len(parts) > 1
}

// unusedInput returns an input for which no variable exists. Its ID is id, or id with a number.
func unusedInput(env []Variable, id string) launch.Input {
	in := launch.Input{ID: id}
	for n := 2; slices.ContainsFunc(env, func(v Variable) bool { return v.Name == launch.InputVariable(in.ID) }); n++ {
		in.ID = id + strconv.Itoa(n)
	}
	return in
}

// WithoutSecrets returns the server without the secrets in its arguments and its URL. ${input:NAME}
// replaces them, and variables hold their values.
func (l Launch) WithoutSecrets() Launch {
	l.Args, l.Env = slices.Clone(l.Args), slices.Clone(l.Env)
	hide := func(name, value string) string {
		in := unusedInput(l.Env, inputName(name))
		l.Env = append(l.Env, Variable{Name: launch.InputVariable(in.ID), Value: value}.WithSecretRef())
		return in.Ref()
	}
	for i, a := range l.Args {
		name, value, inline := strings.Cut(a, "=")
		flag := strings.HasPrefix(a, "-")
		switch {
		case flag && inline && secretWord(name, value):
			l.Args[i] = name + "=" + hide(name, value)
		case flag:
		case i > 0 && headerFlag(l.Args[i-1]):
			l.Args[i] = hideInHeader(a, hide)
		case i > 0 && strings.HasPrefix(l.Args[i-1], "-") && !strings.Contains(l.Args[i-1], "=") && secretWord(l.Args[i-1], a):
			l.Args[i] = hide(l.Args[i-1], a)
		case LooksSecret(a) && !strings.Contains(a, "${"):
			l.Args[i] = hide("key", a)
		case password.MatchString(a):
			l.Args[i] = hide("address", a)
		}
	}
	l.URL, l.Headers = hideInURL(l.URL, hide), slices.Clone(l.Headers)
	for _, list := range [][]Variable{l.Env, l.Headers} {
		for i, v := range list {
			if LooksSecret(v.Value) {
				list[i] = v.WithSecretRef()
			}
		}
	}
	return l
}

// headerFlag reports whether the value of a flag is a header "Name: value", as in mcp-remote.
func headerFlag(flag string) bool { return flag == "--header" || flag == "-H" }

// hideInHeader hides the value of a header "Name: value" if it is secret.
func hideInHeader(header string, hide func(name, value string) string) string {
	name, value, _ := strings.Cut(header, ":")
	plain := strings.TrimLeft(value, " ")
	if !secretWord(name, plain) {
		return header
	}
	return name + ":" + strings.Repeat(" ", len(value)-len(plain)) + hide(name, plain)
}

// hideInURL hides the secret values in a URL's query, and the password before the host.
func hideInURL(address string, hide func(name, value string) string) string {
	if _, err := url.Parse(address); err != nil {
		return address
	}
	address, fragment, tagged := strings.Cut(address, "#")
	before, query, asks := strings.Cut(address, "?")
	if m := userInfo.FindStringSubmatchIndex(before); m != nil && !strings.Contains(before[m[2]:m[3]], "${") {
		if secret, err := url.PathUnescape(before[m[2]:m[3]]); err == nil {
			before = before[:m[2]] + hide("password", secret) + before[m[3]:]
		}
	}
	if asks {
		parts := strings.Split(query, "&")
		for i, part := range parts {
			name, raw, _ := strings.Cut(part, "=")
			if value, err := url.QueryUnescape(raw); err == nil && secretWord(name, value) {
				parts[i] = name + "=" + hide(name, value)
			}
		}
		before += "?" + strings.Join(parts, "&")
	}
	if tagged {
		before += "#" + fragment
	}
	return before
}

var (
	// userInfo matches the password in a URL.
	userInfo = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*://[^/@:]*:([^/@]+)@`)
	// notInName matches characters that the name of an input cannot contain.
	notInName = lazyregexp.New(`[^A-Za-z0-9_.-]+`)
)

// inputName derives the name of an input from the name of a flag or query parameter.
func inputName(name string) string {
	name = strings.Trim(notInName.ReplaceAllString(name, "_"), "_-.")
	if name == "" || !variableName.MatchString(name) {
		return "key"
	}
	return name
}

// secretWord reports whether the value of a flag or query parameter is a secret. The last word of
// its name decides: the value of --key-file is a file.
func secretWord(name, value string) bool {
	if value == "" || strings.Contains(value, "${") || strings.HasPrefix(value, "-") {
		return false
	}
	if LooksSecret(value) || password.MatchString(value) {
		return true
	}
	if _, err := strconv.ParseFloat(value, 64); err == nil || value == "true" || value == "false" {
		return false
	}
	words := strings.FieldsFunc(camel.ReplaceAllString(name, "$1 $2"), func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ' ' })
	if len(words) == 0 || filepath.IsAbs(value) || strings.HasPrefix(value, "~") || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") {
		return false
	}
	return Variable{Name: words[len(words)-1]}.Secret()
}

// camel separates the words of "apiKey".
var camel = lazyregexp.New(`([a-z0-9])([A-Z])`)
