package config

import (
	"slices"
	"strings"
)

// FindDuplicate returns the name of the saved server that starts as l does, with the same variables and
// headers. A server with other variables or headers is no duplicate, because it may use another
// account. If named is set, the user chose the name of l, and a server with another name is no duplicate
// either.
func FindDuplicate(s Settings, l Launch, named bool) (name string, ok bool) {
	called, open := l.DisplayName(), l.WithoutSecrets()
	l.Name, open.Name = "", ""
	for _, saved := range s.Launch {
		same := saved.Same(l) && hasAllValues(saved, l) || saved.Same(open) && hasAllValues(saved, open)
		if same && (!named || strings.EqualFold(saved.DisplayName(), called)) {
			return saved.DisplayName(), true
		}
	}
	return "", false
}

// hasAllValues reports whether a saved server has all variables and headers of l. It may have more, for
// which goated asked. A secret matches any value, because its value is in the keyring.
func hasAllValues(saved, l Launch) bool {
	fits := func(have, want []Variable) bool {
		return !slices.ContainsFunc(want, func(v Variable) bool {
			return !slices.ContainsFunc(have, func(o Variable) bool {
				return v.Name == o.Name && (v.Value == o.Value || v.Ref != "" || o.Ref != "")
			})
		})
	}
	return fits(saved.Env, l.Env) && fits(saved.Headers, l.Headers)
}
