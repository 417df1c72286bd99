package ui

import (
	"fmt"
	"slices"

	"goated/internal/config"
)

// forgetSecrets clears the secrets that no server uses after a change of the
// settings.
func (w *Window) forgetSecrets(old, to config.Settings) {
	for _, ref := range config.Orphans(old, to) {
		w.begin(func() { w.secrets.Forget(ref) })
	}
}

// keepLaunch stores the secrets of l, and then calls then on the UI goroutine
// with a launch that may be written to a file: at once if l has no secrets.
func (w *Window) keepLaunch(l config.Launch, then func(config.Launch)) {
	if !slices.ContainsFunc(l.Env, func(e config.Variable) bool { return e.Ref != "" || e.Secret() }) {
		then(l)
		return
	}
	old := w.settings.Known(l).Env
	w.begin(func() {
		env, err := w.secrets.Put(l.Env, old)
		l.Env = env
		w.post(func() {
			then(l)
			if err != nil {
				w.toasts.Say("alert", fmt.Sprintf("The secret values are kept until goated quits: %s", err.Error()))
			}
		})
	})
}
