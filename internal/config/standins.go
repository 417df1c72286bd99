package config

import (
	"cmp"
	"net/url"
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
		var inside bool
		if l.URL, inside = urlStandIns(l.URL, ask); !inside {
			l.URL = ask("address", l.URL)
		}
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
		option, path, rest := placeholder.Mount(flag, value)
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

// urlStandIns replaces the placeholders in the path and the query of an address. ok is false if it finds
// none there, so that the user has to enter the whole address.
func urlStandIns(address string, ask func(id, standIn string) string) (out string, ok bool) {
	at := strings.Index(address, "://") + len("://")
	end := strings.IndexAny(address[at:], "/?#")
	if end < 0 || placeholder.Is(address[:at+end]) {
		return address, false
	}
	at += end
	var text strings.Builder
	text.WriteString(address[:at])
	for at < len(address) {
		name, separator := "", address[at]
		text.WriteByte(separator)
		at++
		end = at + strings.IndexAny(address[at:]+"/", "/?#&=")
		part := address[at:end]
		if separator == '=' {
			before := address[:at-1]
			name = before[strings.LastIndexAny(before, "?&")+1:]
		}
		names := strings.ContainsRune("?&", rune(separator)) && strings.HasPrefix(address[end:], "=") // a parameter, which may be "apiKey"
		if plain, err := url.PathUnescape(part); err == nil && !names && (placeholder.Is(plain) || name != "" && placeholder.IsOf(name, plain)) {
			part, ok = ask(inputName(cmp.Or(name, placeholder.Hint(plain))), plain), true
		}
		text.WriteString(part)
		at = end
	}
	return text.String(), ok
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
