package config

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
)

// Put stores a value again if a locked keyring did not accept it before.
func TestPutAsksALockedKeyringAgain(t *testing.T) {
	var asked atomic.Int32 // used by several goroutines
	locked := true
	v := NewSecrets(&Keyring{Save: func(string, string) error {
		asked.Add(1)
		if locked {
			return errors.New("the keyring does not answer")
		}
		return nil
	}})
	list := []Variable{{Name: "A_TOKEN", Value: "s3cret"}, {Name: "B_TOKEN", Value: "s3cret too"}}
	put, err := v.Put(list, nil)
	if err == nil || err.Error() != "the keyring does not answer" {
		t.Errorf("Put returned %v", err)
	}
	locked = false
	for range 2 {
		if _, err := v.Put(list, put); err != nil {
			t.Error(err)
		}
	}
	if n := asked.Load(); n != 4 {
		t.Errorf("the keyring was asked %d times", n)
	}
}

// Without a keyring a value lasts as long as the Secrets, and no longer.
func TestSecretsWithoutAKeyring(t *testing.T) {
	s := NewSecrets(nil)
	put, err := s.Put([]Variable{{Name: "A_TOKEN", Value: "s3cret"}, {Name: "SHADE", Value: "green"}}, nil)
	if err == nil || put[0].Value != "" || put[0].Ref == "" || put[1] != (Variable{Name: "SHADE", Value: "green"}) {
		t.Fatalf("Put returned %+v, %v", put, err)
	}
	if filled, missing := s.Fill(put); filled[0].Value != "s3cret" || len(missing) > 0 {
		t.Errorf("Fill returned %+v, missing %v", filled, missing)
	}
	filled, missing := NewSecrets(nil).Fill(put)
	if filled[0].Value != "" || len(missing) != 1 || missing[0].Name != "A_TOKEN" || missing[0].Err == nil {
		t.Errorf("in the next run Fill returned %+v, missing %v", filled, missing)
	}
	s.Forget(put[0].Ref)
	if _, missing := s.Fill(put); len(missing) != 1 {
		t.Error("Fill returned a forgotten value")
	}
}

// A secret is an orphan when the last server that uses it is gone.
func TestOrphans(t *testing.T) {
	shared, own := Variable{Name: "A", Ref: "shared"}, Variable{Name: "B", Ref: "own"}
	a, b := Launch{Path: "/a.py", Env: []Variable{shared, own}}, Launch{Path: "/b.py", Env: []Variable{shared}}
	old := Settings{Recent: []Launch{a, b}}
	if got := OrphanedRefs(old, old.WithoutRecent(a)); !slices.Equal(got, []string{"own"}) {
		t.Errorf("without a: %q", got)
	}
	if got := OrphanedRefs(old, Settings{}); !slices.Equal(got, []string{"shared", "own"}) {
		t.Errorf("without all: %q", got)
	}
}
