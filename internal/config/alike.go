package config

import (
	"slices"
	"strings"

	"goated/internal/launch"
)

// SameProgram reports whether two launches run the same script, package or program, or have the same
// address, so that the permissions of one are those of the other.
func (l Launch) SameProgram(o Launch) bool {
	if l.Path != o.Path || l.Command != o.Command || l.URL != o.URL {
		return false
	}
	_, was := launch.Of(l.Path, l.Command, l.URL, l.Args, l.Dir, launch.Here(nil))
	_, now := launch.Of(o.Path, o.Command, o.URL, o.Args, o.Dir, launch.Here(nil))
	return was == now
}

// RestartsAs reports whether the host can restart a server of l as o in its place: only its arguments, its
// variables and its folder are others.
func (l Launch) RestartsAs(o Launch) bool {
	return o.URL == "" && l.Name == o.Name && l.SameProgram(o)
}

// Resembles reports whether o reads like a correction of l: the user would type nearly the same, or gives the
// same arguments to another program.
func (l Launch) Resembles(o Launch) bool {
	was, now := l.typed(), o.typed()
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

// typed returns what the user types to start l.
func (l Launch) typed() string {
	return strings.Join(append([]string{l.Subject()}, l.Args...), " ")
}
