package config

import (
	"slices"
	"strings"

	"goated/internal/authscheme"
	"goated/internal/launch"
	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// WithoutStandIns returns the server with an input for each argument that stands for the user's own, such
// as /Users/username/Desktop, and for such an address, so that [Waiting] finds that it lacks a value.
func (l Launch) WithoutStandIns(notes []launch.Note) Launch {
	l.Args, l.Env = slices.Clone(l.Args), slices.Clone(l.Env)
	type question struct{ id, standIn string }
	asked := make(map[question]launch.Input) // the same text under the same name is asked for once
	ask := func(id, standIn string) string {
		in, again := asked[question{id, standIn}]
		if !again {
			in = unusedInput(l.Env, id)
			asked[question{id, standIn}] = in
			l.Env = append(l.Env, Variable{Name: launch.InputVariable(in.ID)})
		}
		return in.Ref()
	}
	standsIn := func(text string) bool {
		return slices.Contains(notes, launch.Note{Kind: launch.Placeholder, Subject: text})
	}
	if l.URL != "" && standsIn(l.URL) {
		l.URL = ask("address", l.URL)
	}
	if l.Dir != "" && standsIn(l.Dir) {
		l.Dir = ask(standInID("", l.Dir), strings.TrimRight(l.Dir, `/\`))
	}
	for i, a := range l.Args {
		if !standsIn(a) {
			continue
		}
		flag, before, value := "", "", a
		if name, rest, inline := strings.Cut(a, "="); inline && strings.HasPrefix(a, "-") {
			flag, before, value = name, name+"=", rest
		} else if inline && assigned.MatchString(a) { // the value of "--env NAME=value"
			flag, before, value = name, name+"=", rest
		} else if i > 0 && strings.HasPrefix(l.Args[i-1], "-") && !strings.Contains(l.Args[i-1], "=") {
			flag = l.Args[i-1]
		}
		id := standInID(flag, value)
		if name, text, ok := strings.Cut(value, ":"); ok && headerFlag(flag) {
			scheme, token := authscheme.CutStandIn(text)
			start := strings.LastIndex(text, token)
			if scheme == "" {
				start = len(text) - len(strings.TrimLeft(text, " "))
			}
			id, before, value = inputName(name), before+name+":"+text[:start], text[start:]
		}
		l.Args[i] = before + ask(id, strings.TrimRight(value, `/\`))
	}
	return l
}

// assigned matches an argument that gives a value to a variable.
var assigned = lazyregexp.New(`^[A-Z_][A-Z0-9_]*=`)

// standInID names the input for the value of an argument: by the path, by the flag, or by the words that
// stand for the value.
func standInID(flag, value string) string {
	if placeholder.IsPath(value) {
		return placeholder.PathInput(value)
	}
	if flag = strings.TrimLeft(flag, "-"); len(flag) > 1 {
		return inputName(flag)
	}
	return inputName(value)
}
