package config

import (
	"slices"
	"strconv"
	"strings"

	"goated/internal/launch"
)

// FromText returns the settings entry for a server that the user pasted. Variables that the text
// leaves to the user have no value.
func FromText(s launch.Server) Launch {
	l := Launch{Path: s.Path, Command: s.Command, URL: s.Remote.URL, Args: s.Args, Dir: s.Dir, Off: s.Off, Env: variables(s.Env), Headers: variables(s.Remote.Headers)}
	if s.Named {
		l.Name = s.Name
	}
	return l
}

func variables(list []launch.Variable) []Variable {
	var out []Variable
	for _, v := range list {
		given := Variable{Name: v.Name, Value: v.Value}
		if v.Ask {
			given.Value = ""
		}
		out = append(out, given)
	}
	return out
}

// IsUnsetSecret reports whether a text names a secret and gives it no value, as in "API_KEY": "". A README leaves
// it to its reader; some servers also start without it.
func IsUnsetSecret(v launch.Variable) bool {
	return v.Value == "" && (v.Secret || Variable{Name: v.Name}.Secret())
}

// UnusedName returns a name that no server of list has, in any case: name itself, or name
// with a number. A name that is one word stays one, so that it is also the beginning of the
// names of its tools.
func UnusedName(name string, list []string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(list, func(o string) bool { return strings.EqualFold(o, name) })
	}
	space := "-"
	if strings.Contains(name, " ") {
		space = " "
	}
	for n, base := 2, name; taken(name); n++ {
		name = base + space + strconv.Itoa(n)
	}
	return name
}
