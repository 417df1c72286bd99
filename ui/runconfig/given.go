package runconfig

import (
	"slices"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/truncate"
)

// Mask replaces a hidden value on the screen.
const Mask = "••••••••"

// maxGiven limits the shown part of a value, in bytes. The pasted text contains all of it.
const maxGiven = 60

// Given returns on one line the variables and headers that a text sets for one of several
// servers. It masks secrets. The notes of the server list the values that the text leaves to the
// user.
func Given(s launch.Server) string {
	l := config.FromText(s)
	var all []string
	add := func(list []launch.Variable, made []config.Variable, sign string) {
		for i, v := range list {
			switch {
			case v.Ask:
				all = append(all, v.Name)
			case hides(made[i]) || config.LooksSecret(v.Value):
				all = append(all, v.Name+sign+Mask)
			default:
				all = append(all, v.Name+sign+truncate.Bytes(strings.Join(strings.Fields(v.Value), " "), maxGiven))
			}
		}
	}
	add(s.Env, l.Env, "=")
	add(s.Remote.Headers, l.Headers, ": ")
	return strings.Join(all, "   ")
}

// hides reports whether goated keeps the value of a variable in the keyring, rather than in the
// settings.
func hides(v config.Variable) bool { return v.Value != "" && (v.Ref != "" || v.Secret()) }

// GivesSecret reports whether the text contains a secret of one of the servers.
func GivesSecret(list []launch.Server) bool {
	return slices.ContainsFunc(list, func(s launch.Server) bool {
		l := config.FromText(s)
		return slices.ContainsFunc(slices.Concat(l.Env, l.Headers), hides)
	})
}
