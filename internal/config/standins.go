package config

import (
	"slices"
	"strings"

	"goated/internal/launch"
	"goated/internal/placeholder"
)

// WithoutStandIns returns the server with an input for each argument that stands for the user's own, such
// as /Users/username/Desktop, and for such an address, so that [Waiting] finds that it lacks a value.
func (l Launch) WithoutStandIns(notes []launch.Note) Launch {
	l.Args, l.Env = slices.Clone(l.Args), slices.Clone(l.Env)
	ask := func(id string) string {
		in := launch.Input{ID: id}
		if name := launch.InputVariable(id); !slices.ContainsFunc(l.Env, func(v Variable) bool { return v.Name == name }) {
			l.Env = append(l.Env, Variable{Name: name})
		}
		return in.Ref()
	}
	for _, n := range notes {
		if n.Kind != launch.Placeholder {
			continue
		}
		if n.Subject == l.URL {
			l.URL = ask("address")
		}
		for i, a := range l.Args {
			if a != n.Subject {
				continue
			}
			flag, value := "", a
			if name, rest, inline := strings.Cut(a, "="); inline && strings.HasPrefix(a, "-") {
				flag, value, l.Args[i] = name, rest, name+"="
			} else {
				l.Args[i] = ""
				if i > 0 && strings.HasPrefix(l.Args[i-1], "-") {
					flag = l.Args[i-1]
				}
			}
			l.Args[i] += ask(standInID(flag, value))
		}
	}
	return l
}

// standInID names the input for the value of an argument: by the path, by the flag, or by the words that
// stand for the value.
func standInID(flag, value string) string {
	if strings.ContainsAny(value, `/\`) && !strings.Contains(value, "://") {
		return placeholder.PathInput(value)
	}
	if flag = strings.TrimLeft(flag, "-"); len(flag) > 1 {
		return inputName(flag)
	}
	return inputName(value)
}
