package ui

import (
	"fmt"
	"slices"

	"goated/internal/config"
)

// forgetSecrets clears the secrets that no server uses after a change of the
// settings.
func (ps *serverPages) forgetSecrets(old, to config.Settings) {
	for _, ref := range config.Orphans(old, to) {
		ps.Go(func() { ps.secrets.Forget(ref) })
	}
}

// keepLaunch stores the secrets of l, and then calls then on the UI goroutine
// with a launch that may be written to a file: at once if l has no secrets.
func (ps *serverPages) keepLaunch(l config.Launch, then func(config.Launch)) {
	if !slices.ContainsFunc(l.Env, func(e config.Variable) bool { return e.Ref != "" || e.Secret() }) {
		then(l)
		return
	}
	old := ps.Settings.Known(l).Env
	ps.Go(func() {
		env, err := ps.secrets.Put(l.Env, old)
		l.Env = env
		ps.Post(func() {
			then(l)
			if err != nil {
				ps.Toasts.Say("alert", fmt.Sprintf("The secret values are kept until goated quits: %s", err.Error()))
			}
		})
	})
}
