package config

import (
	"slices"
	"strings"

	"goated/internal/authscheme"
	"goated/internal/launch"
	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// WithoutStandIns returns the server with an input instead of each argument or URL that is a placeholder
// for the user's own, such as /Users/username/Desktop. [MarkMissing] then finds that the value is missing.
func (l Launch) WithoutStandIns(notes []launch.Note) Launch {
	l.Args, l.Env = slices.Clone(l.Args), slices.Clone(l.Env)
	type question struct{ id, standIn string }
	asked := make(map[question]launch.Input) // the user is asked only once for the same text under the same name
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
		if name, rest, inline := strings.Cut(a, "="); inline && (strings.HasPrefix(a, "-") || assigned.MatchString(a)) { // also in "--env NAME=value"
			flag, before, value = name, name+"=", rest
		} else if i > 0 && strings.HasPrefix(l.Args[i-1], "-") && !strings.Contains(l.Args[i-1], "=") {
			flag = l.Args[i-1]
		}
		option, path, rest := mount(flag, value)
		before, value = before+option, path
		id := standInID(flag, value)
		if name, text, ok := strings.Cut(value, ":"); ok && headerFlag(flag) {
			scheme, token := authscheme.CutStandIn(text)
			start := strings.LastIndex(text, token)
			if scheme == "" {
				start = len(text) - len(strings.TrimLeft(text, " "))
			}
			id, before, value = inputName(name), before+name+":"+text[:start], text[start:]
		}
		l.Args[i] = before + ask(id, strings.TrimRight(value, `/\`)) + rest
	}
	return l
}

var (
	// volume matches the value of docker's -v: a path of this computer, and what follows it.
	volume = lazyregexp.New(`^((?:[A-Za-z]:[\\/])?[^:]*)(:.*)$`)
	// source matches the path of this computer in the value of docker's --mount.
	source = lazyregexp.New(`^((?:.*,)?(?:src|source)=)([^,]*)(.*)$`)
)

// mount splits the value of an option that mounts a folder into a container, at the path of this computer.
// Of other values, path is all.
func mount(flag, value string) (before, path, after string) {
	switch flag {
	case "-v", "--volume":
		if m := volume.FindStringSubmatch(value); m != nil && placeholder.Is(m[1]) {
			return "", m[1], m[2]
		}
	case "--mount":
		if m := source.FindStringSubmatch(value); m != nil && placeholder.Is(m[2]) {
			return m[1], m[2], m[3]
		}
	}
	return "", value, ""
}

// assigned matches an argument of the form NAME=value.
var assigned = lazyregexp.New(`^[A-Z_][A-Z0-9_]*=`)

// standInID returns the ID of the input for an argument's value, derived from the path, the flag or the
// placeholder.
func standInID(flag, value string) string {
	if placeholder.IsPath(value) {
		return placeholder.PathInput(value)
	}
	if flag = strings.TrimLeft(flag, "-"); len(flag) > 1 {
		return inputName(flag)
	}
	return inputName(value)
}
