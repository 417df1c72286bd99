package config

import (
	"slices"
	"strings"

	"goated/internal/launch"
)

// SameProgram reports whether two launches run the same script, package or program, or have the same
// URL. The permissions of one then also apply to the other.
func (l Launch) SameProgram(o Launch) bool {
	if l.Path != o.Path || l.Command != o.Command || l.URL != o.URL {
		return false
	}
	_, was := launch.Of(l.Path, l.Command, l.URL, l.Args, l.Dir, launch.Here(nil))
	_, now := launch.Of(o.Path, o.Command, o.URL, o.Args, o.Dir, launch.Here(nil))
	return was == now
}

// RestartsAs reports whether the host can restart a server of l as o, because only its arguments,
// variables and working directory differ.
func (l Launch) RestartsAs(o Launch) bool {
	return o.URL == "" && l.Name == o.Name && l.SameProgram(o)
}

// Resembles reports whether o looks like a correction of l: the command lines are nearly the same, or another
// program gets the same arguments.
func (l Launch) Resembles(o Launch) bool {
	was, now := l.commandLine(), o.commandLine()
	if strings.Contains(was, now) || strings.Contains(now, was) || len(o.Args) > 0 && slices.Equal(l.Args, o.Args) {
		return true
	}
	shorter, longer := min(len(was), len(now)), max(len(was), len(now))
	before, after := 0, 0
	for before < shorter && was[before] == now[before] {
		before++
	}
	for before+after < shorter && was[len(was)-1-after] == now[len(now)-1-after] {
		after++
	}
	return 4*(before+after) >= 3*longer
}

// commandLine returns l as the user would type it.
func (l Launch) commandLine() string {
	return strings.Join(append([]string{l.Subject()}, l.Args...), " ")
}

// replaced returns list with l instead of the server at an index, and without other servers that are
// the same as l.
func replaced(list []Launch, at int, l Launch) (out []Launch) {
	for i, o := range list {
		switch {
		case i == at:
			out = append(out, l)
		case !l.Same(o):
			out = append(out, o)
		}
	}
	return out
}
