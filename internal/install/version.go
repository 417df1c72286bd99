package install

import (
	"slices"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
)

// otherVersion reports whether a saved server runs another version of the package of next, in the
// same way and with the same variables.
func otherVersion(next, saved config.Launch) bool {
	if next.Command == "" || next.Command != saved.Command || next.Dir != saved.Dir || slices.Equal(next.Args, saved.Args) || len(next.Args) != len(saved.Args) {
		return false
	}
	from, _ := launch.Of("", next.Command, "", next.Args, "", launch.Here(nil))
	had, _ := launch.Of("", saved.Command, "", saved.Args, "", launch.Here(nil))
	if from.Source != had.Source || from.Package != had.Package || from.Version == "" || had.Version == "" {
		return false
	}
	for i, arg := range next.Args {
		old := saved.Args[i]
		if arg == old {
			continue
		}
		head, found := strings.CutSuffix(arg, from.Version)
		if was, also := strings.CutSuffix(old, had.Version); !found || !also || head != was {
			return false
		}
	}
	saved.Args = next.Args
	_, same := config.FindDuplicate(config.Settings{Launch: []config.Launch{saved}}, next, false)
	return same
}

// OtherVersion returns the name of a saved server that runs another version of the package of next,
// with the same arguments and variables.
func OtherVersion(next config.Launch, saved []config.Launch) (name string, ok bool) {
	all := others(next, saved)
	if len(all) == 0 {
		return "", false
	}
	return all[0].DisplayName(), true
}

func others(next config.Launch, saved []config.Launch) (all []config.Launch) {
	for _, l := range saved {
		if otherVersion(next, l) {
			all = append(all, l)
		}
	}
	return all
}

// secret reports whether a server has a secret variable.
func secret(l config.Launch) bool {
	return slices.ContainsFunc(l.Env, func(v config.Variable) bool { return v.Ref != "" || v.Secret() })
}
