package servers

import (
	"fmt"
	"slices"

	"goated/internal/config"
	"goated/internal/errtext"
)

// ForgetSecrets deletes the secrets that no server uses any more after a change of the
// settings.
func (ps *Pages) ForgetSecrets(old, to config.Settings) {
	for _, ref := range config.OrphanedRefs(old, to) {
		ps.Go(func() { ps.Secrets.Forget(ref) })
	}
}

// storeSecrets stores the secrets of l. Then it calls then on the UI goroutine with a launch that
// is safe to write to a file. If l has no secrets, it calls then immediately.
func (ps *Pages) storeSecrets(l config.Launch, then func(config.Launch)) {
	if !slices.ContainsFunc(slices.Concat(l.Env, l.Headers), func(e config.Variable) bool { return e.Ref != "" || e.Secret() }) {
		then(l)
		return
	}
	old := ps.Settings.Saved(l)
	ps.Go(func() {
		env, err := ps.Secrets.Put(l.Env, old.Env)
		headers, lost := ps.Secrets.Put(l.Headers, old.Headers)
		l.Env, l.Headers = env, headers
		if err == nil {
			err = lost
		}
		ps.Post(func() {
			then(l)
			if err != nil {
				ps.Toasts.Say("alert", fmt.Sprintf("goated keeps the secret values only until it quits: %s", errtext.Plain(err)))
			}
		})
	})
}
