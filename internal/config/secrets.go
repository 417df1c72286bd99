package config

import (
	"crypto/rand"
	"errors"
	"slices"
	"sync"
)

// ErrNoSecret means that the keyring answered but has no value for this reference.
var ErrNoSecret = errors.New("the keyring does not have it")

// A Keyring stores secret values by reference, like the system's keyring. Its functions may take
// seconds and must be safe for concurrent use.
type Keyring struct {
	Save  func(ref, value string) error
	Load  func(ref string) (string, error) // returns [ErrNoSecret] if there is no value
	Clear func(ref string) error
}

var errNoKeyring = errors.New("this system has no keyring")

// Secrets holds the secret values of the servers' environments. A value that the keyring does not
// accept lasts as long as the Secrets. The methods are safe for concurrent use and may wait for the
// keyring.
type Secrets struct {
	keyring *Keyring // nil: there is no keyring

	mu       sync.Mutex
	values   map[string]string // by reference
	rejected map[string]bool   // references of the values that the keyring did not accept
}

// NewSecrets returns the secrets in a keyring. If keyring is nil, values last only as long as the
// Secrets.
func NewSecrets(keyring *Keyring) *Secrets {
	return &Secrets{keyring: keyring, values: make(map[string]string), rejected: make(map[string]bool)}
}

// Persistent reports whether there is a keyring, so that values outlast the process.
func (s *Secrets) Persistent() bool { return s.keyring != nil }

// Put stores the secret values in list, and returns the list with references instead. A variable
// that is also in old keeps its reference, even without a value. If the keyring does not accept a
// value, Put returns the reason. The returned list is valid even then.
func (s *Secrets) Put(list, old []Variable) ([]Variable, error) {
	out := slices.Clone(list)
	errs := make([]error, len(list))
	var saving sync.WaitGroup
	for i, v := range out {
		if at := slices.IndexFunc(old, func(o Variable) bool { return o.Name == v.Name }); v.Ref == "" && at >= 0 {
			v.Ref = old[at].Ref
		}
		if v.Value == "" { // the value could not be loaded
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
			saving.Go(func() { errs[i] = s.save(v) }) // in parallel, so that a silent keyring costs only one wait
		}
		out[i] = v
		out[i].Value = ""
	}
	saving.Wait()
	for _, err := range errs {
		if err != nil {
			return out, err // report only the first error
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

// Fill returns list with the values of its secrets, and the variables whose values cannot be
// loaded. Those stay empty in the list.
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

// Forget deletes a value, also from the keyring. It ignores errors.
func (s *Secrets) Forget(ref string) {
	s.mu.Lock()
	delete(s.values, ref)
	delete(s.rejected, ref)
	s.mu.Unlock()
	if s.keyring != nil {
		_ = s.keyring.Clear(ref) // fails if the value is already gone
	}
}

// OrphanedRefs returns the references in old that to no longer contains.
func OrphanedRefs(old, to Settings) []string {
	used := to.Refs()
	return slices.DeleteFunc(old.Refs(), func(ref string) bool { return slices.Contains(used, ref) })
}
