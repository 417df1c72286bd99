package launch

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// assign records the assignments NAME=value in list.
func (l *shellLine) assign(list []*syntax.Assign) error {
	for _, a := range list {
		if a.Name == nil || a.Naked || a.Array != nil || a.Index != nil {
			continue
		}
		value := ""
		if a.Value != nil {
			var err error
			if value, err = l.word(a.Value, true); err != nil {
				return err
			}
		}
		l.env = merged(l.env, []Variable{l.sys.variable(a.Name.Value, value)})
	}
	return nil
}

// exported returns the variables that the lines of a terminal, or of an env file, set for later
// commands.
func (s commands) exported(text string) []Variable {
	if len(text) > maxLine {
		return nil
	}
	file, err := s.parse(text)
	if err != nil {
		return nil
	}
	l := &shellLine{sys: s.System}
	for _, stmt := range file.Stmts {
		list := []*syntax.Assign(nil)
		switch c := stmt.Cmd.(type) {
		case *syntax.DeclClause:
			list = c.Args
		case *syntax.CallExpr:
			if len(c.Args) == 0 {
				list = c.Assigns
			}
		}
		if l.assign(list) != nil {
			return nil
		}
	}
	return slices.DeleteFunc(l.env, func(v Variable) bool { return v.Name == "PATH" || strings.ToUpper(v.Name) != v.Name })
}

// merged joins two lists of variables. Of variables with the same name, the last one wins.
func merged(list, more []Variable) []Variable {
	var out []Variable
	add := func(v Variable) {
		for i := range out {
			if out[i].Name == v.Name {
				out[i] = v
				return
			}
		}
		out = append(out, v)
	}
	for _, v := range list {
		add(v)
	}
	for _, v := range more {
		add(v)
	}
	return out
}

// withPassword matches a URL with a password, such as that of a database.
var withPassword = lazyregexp.New(`://[^/\s:@]*:[^/\s@]+@`)

// member matches a string in a JSON object, with the scheme before a token.
var member = lazyregexp.New(`"([\w.-]+)"(\s*:\s*")((?:(?i:bearer|basic|token) )?)([^"\\]+)"`)

// withInputs returns a JSON object with an input in place of each placeholder in it, such as the headers of
// {"Authorization": "Bearer <token>"}. ok is false if there are none.
func withInputs(value string) (out string, ok bool) {
	if !strings.HasPrefix(value, "{") || !json.Valid([]byte(value)) {
		return value, false
	}
	out = member.ReplaceAllStringFunc(value, func(text string) string {
		m := member.FindStringSubmatch(text)
		if !placeholder.IsOf(m[1], m[4]) {
			return text
		}
		ok = true
		return `"` + m[1] + `"` + m[2] + m[3] + Input{ID: m[1]}.Ref() + `"`
	})
	return out, ok
}

// isPlaceholder reports whether a value is a placeholder, and neither a path of this user, whose name may be
// "user", nor one that exists.
func (s System) isPlaceholder(value string) bool {
	return placeholder.Is(s.withoutHome(value)) && !s.exists(value)
}

// withoutHome returns a value with ~ in place of the user's home folder.
func (s System) withoutHome(value string) string {
	if len(s.Home) < 2 {
		return value
	}
	return strings.TrimSuffix(strings.NewReplacer(s.Home+"/", "~/", s.Home+`\`, `~\`).Replace(value+"/"), "/")
}

// exists reports whether a value is the absolute path of a file or folder.
func (s System) exists(value string) bool { return filepath.IsAbs(value) && s.stat(value) != nil }

// variable returns a variable. If the value is a placeholder, the user is asked for it.
func (s System) variable(name, value string) Variable {
	if inside, ok := withInputs(value); ok {
		return Variable{Name: name, Value: inside, Ask: true, Secret: true}
	}
	if placeholder.IsOf(name, s.withoutHome(value)) && !s.exists(value) {
		return Variable{Name: name, Ask: true, Prompt: placeholder.Hint(value), Secret: withPassword.MatchString(value)}
	}
	return Variable{Name: name, Value: value}
}
