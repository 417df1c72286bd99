package config

import (
	"crypto/rand"
	"errors"
	"slices"
	"sync"
)

// ErrNoSecret means that the keyring answered, and has no value of this reference.
var ErrNoSecret = errors.New("the keyring does not have it")

// A Keyring stores secret values by reference, as the system's keyring does. Its
// functions may take seconds, and are called from several goroutines at the same time.
type Keyring struct {
	Save  func(ref, value string) error
	Load  func(ref string) (string, error) // [ErrNoSecret] if there is none
	Clear func(ref string) error
}

var errNoKeyring = errors.New("this system has no keyring")

// Secrets hold the secret values of the servers' environments. A value that the
// keyring does not take lasts as long as the Secrets. Their methods are safe for
// concurrent use and may wait for the keyring.
type Secrets struct {
	keyring *Keyring // nil: there is none

	mu       sync.Mutex
	values   map[string]string // by reference
	rejected map[string]bool   // references of the values that the keyring did not take
}

// NewSecrets returns the secrets of a keyring; of none, if keyring is nil.
func NewSecrets(keyring *Keyring) *Secrets {
	return &Secrets{keyring: keyring, values: make(map[string]string), rejected: make(map[string]bool)}
}

// Lasting reports whether there is a keyring, so that values outlast the process.
func (s *Secrets) Lasting() bool { return s.keyring != nil }

// Put stores the secret values among list, and returns the list with references
// in their place. A variable that old has under the same name keeps its
// reference, also without a value. If the keyring does not take a value, the error says why; the
// returned list is valid all the same.
func (s *Secrets) Put(list, old []Variable) ([]Variable, error) {
	out := slices.Clone(list)
	errs := make([]error, len(list))
	var saving sync.WaitGroup
	for i, v := range out {
		if at := slices.IndexFunc(old, func(o Variable) bool { return o.Name == v.Name }); v.Ref == "" && at >= 0 {
			v.Ref = old[at].Ref
		}
		if v.Value == "" { // it could not be loaded
			out[i] = v
			continue
		}
		if !v.Secret() && v.Ref == "" {
			continue
		}
		if v.Ref == "" {
			v.Ref = "server-" + rand.Text()
		}
		s.mu.Lock()
		saved := s.values[v.Ref] == v.Value && !s.rejected[v.Ref]
		s.values[v.Ref] = v.Value
		s.mu.Unlock()
		if !saved {
			saving.Go(func() { errs[i] = s.save(v) }) // in parallel: a keyring that does not answer costs one wait
		}
		out[i] = v
		out[i].Value = ""
	}
	saving.Wait()
	for _, err := range errs {
		if err != nil {
			return out, err // the first reason stands for all
		}
	}
	return out, nil
}

func (s *Secrets) save(v Variable) error {
	if s.keyring == nil {
		return errNoKeyring
	}
	err := s.keyring.Save(v.Ref, v.Value)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rejected[v.Ref] = err != nil
	return err
}

// A Missing is a variable whose secret value cannot be loaded.
type Missing struct {
	Name string
	Err  error
}

// Fill returns list with the values of its secrets, and the variables whose
// values cannot be loaded; in the list those stay empty.
func (s *Secrets) Fill(list []Variable) (filled []Variable, missing []Missing) {
	filled = slices.Clone(list)
	errs := make([]error, len(list))
	var loading sync.WaitGroup
	for i, v := range list {
		if v.Ref != "" && v.Value == "" {
			loading.Go(func() { filled[i].Value, errs[i] = s.load(v.Ref) }) // in parallel, as in Put
		}
	}
	loading.Wait()
	for i, err := range errs {
		if err != nil {
			missing = append(missing, Missing{Name: list[i].Name, Err: err})
		}
	}
	return filled, missing
}

func (s *Secrets) load(ref string) (string, error) {
	s.mu.Lock()
	value, known := s.values[ref]
	s.mu.Unlock()
	switch {
	case known:
		return value, nil
	case s.keyring == nil:
		return "", errNoKeyring
	}
	value, err := s.keyring.Load(ref)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[ref] = value
	return value, nil
}

// Forget drops a value, from the keyring too; best effort.
func (s *Secrets) Forget(ref string) {
	s.mu.Lock()
	delete(s.values, ref)
	delete(s.rejected, ref)
	s.mu.Unlock()
	if s.keyring != nil {
		_ = s.keyring.Clear(ref) // fails where the value is gone already
	}
}

// Orphans returns the references that old has and to no longer has.
func Orphans(old, to Settings) []string {
	used := to.Refs()
	return slices.DeleteFunc(old.Refs(), func(ref string) bool { return slices.Contains(used, ref) })
}
