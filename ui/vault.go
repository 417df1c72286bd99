package ui

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"

	"goated/internal/config"
)

// Secrets keep values that no file may have, each under a name of its own: in the
// system's keyring. Its functions may take seconds, and are called off the UI
// goroutine, concurrently.
type Secrets struct {
	Save  func(ref, value string) error
	Load  func(ref string) (string, error)
	Clear func(ref string) error
}

// A vault has the secret values of the servers' environments: those that the
// keyring would not take only as long as goated runs. It is safe for concurrent
// use; what asks the keyring is not for the UI goroutine.
type vault struct {
	keyring *Secrets // nil: there is none

	mu      sync.Mutex
	known   map[string]string // by ref
	refused map[string]bool   // refs of those that the keyring would not take
}

func newVault(keyring *Secrets) *vault {
	return &vault{keyring: keyring, known: make(map[string]string), refused: make(map[string]bool)}
}

// put keeps the secrets among list, and returns it without their values. Where
// old has a variable of that name, its place is used again. The error says why
// values are kept only while goated runs; the list is good all the same.
func (v *vault) put(list, old []config.Variable) ([]config.Variable, error) {
	out := slices.Clone(list)
	errs := make([]error, len(list))
	var saving sync.WaitGroup
	for i, e := range out {
		if e.Value == "" || !e.Secret() && e.Ref == "" {
			continue
		}
		if at := slices.IndexFunc(old, func(o config.Variable) bool { return o.Name == e.Name }); e.Ref == "" && at >= 0 {
			e.Ref = old[at].Ref
		}
		if e.Ref == "" {
			e.Ref = "server-" + rand.Text()
		}
		v.mu.Lock()
		kept := v.known[e.Ref] == e.Value && !v.refused[e.Ref]
		v.known[e.Ref] = e.Value
		v.mu.Unlock()
		if !kept {
			saving.Go(func() { errs[i] = v.save(e) }) // all at once: a keyring that does not answer is waited for once
		}
		out[i] = e
		out[i].Value = ""
	}
	saving.Wait()
	for _, err := range errs {
		if err != nil {
			return out, err // one says it for all
		}
	}
	return out, nil
}

func (v *vault) save(e config.Variable) error {
	if v.keyring == nil {
		return errors.New("there is no keyring on this system") // so a value is gone with goated
	}
	err := v.keyring.Save(e.Ref, e.Value)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.refused[e.Ref] = err != nil
	return err
}

// open returns list with its secrets' values, and the names of those that are not
// to be had any more.
func (v *vault) open(list []config.Variable) (filled []config.Variable, missing []string) {
	filled = slices.Clone(list)
	known := make([]bool, len(list))
	var loading sync.WaitGroup
	for i, e := range list {
		if e.Ref == "" || e.Value != "" {
			known[i] = true
			continue
		}
		loading.Go(func() { filled[i].Value, known[i] = v.load(e.Ref) }) // as in put
	}
	loading.Wait()
	for i, e := range list {
		if !known[i] {
			missing = append(missing, e.Name)
		}
	}
	return filled, missing
}

func (v *vault) load(ref string) (value string, known bool) {
	v.mu.Lock()
	value, known = v.known[ref]
	v.mu.Unlock()
	if known || v.keyring == nil {
		return value, known
	}
	value, err := v.keyring.Load(ref)
	if err != nil {
		return "", false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.known[ref] = value
	return value, true
}

// sweep clears what no server has any more after a change of the settings.
func (v *vault) sweep(w *Window, old, to config.Settings) {
	stay := to.Refs()
	for _, ref := range old.Refs() {
		if slices.Contains(stay, ref) {
			continue
		}
		v.mu.Lock()
		delete(v.known, ref)
		delete(v.refused, ref)
		v.mu.Unlock()
		if v.keyring != nil {
			w.begin(func() {
				// One that is not there is gone already, and there is nothing to do
				// about one that stays.
				_ = v.keyring.Clear(ref)
			})
		}
	}
}

// keepLaunch puts away the secrets of l, and has then do the rest on the UI
// goroutine with what may be written down: at once, if there are none.
func (w *Window) keepLaunch(l config.Launch, then func(config.Launch)) {
	if !slices.ContainsFunc(l.Env, func(e config.Variable) bool { return e.Ref != "" || e.Secret() }) {
		then(l)
		return
	}
	old := w.settings.Known(l).Env
	w.begin(func() {
		env, err := w.vault.put(l.Env, old)
		l.Env = env
		w.post(func() {
			then(l)
			if err != nil {
				w.toasts.say("alert", fmt.Sprintf("The secret values are kept until goated quits: %s", err.Error()))
			}
		})
	})
}
