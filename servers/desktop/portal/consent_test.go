package portal_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"goated/internal/bustest"
	"goated/internal/waittest"
	"goated/servers/desktop/portal"
	"goated/servers/desktop/portal/portaltest"
)

// A user who agreed is not asked at the next start. They are asked again after they ended the sharing
// or refused, and if the portal cannot keep the consent.
func TestConsentIsKept(t *testing.T) {
	var asked atomic.Int32
	var answer atomic.Uint32 // the user's answer
	p := &portaltest.Portal{Keyboard: func() (uint32, uint32) { asked.Add(1); return answer.Load(), 7 }}
	address := bustest.Start(t)
	conn, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	file := filepath.Join(t.TempDir(), "new", "consent")
	// start runs the program once: it asks for keys, presses one, and ends.
	start := func(during func(*portal.Portal)) error {
		t.Helper()
		got, err := portal.Open(t.Context(), portal.Options{Session: filtered(t, address), Consent: file})
		if err != nil {
			t.Fatal(err)
		}
		defer got.Close()
		_, err = got.Allow(soon(t))
		if err == nil {
			if err := errors.Join(got.Key(soon(t), 'a', true), got.Key(soon(t), 'a', false)); err != nil {
				t.Error(err)
			}
		}
		if during != nil {
			during(got)
		}
		return err
	}
	want := func(what string, n int32, err error) {
		t.Helper()
		if err != nil || asked.Load() != n {
			t.Fatalf("%s: the user was asked %d times, want %d; %v", what, asked.Load(), n, err)
		}
	}
	kept := func() bool { _, err := os.Stat(file); return err == nil }

	want("the first start", 1, start(nil))
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file of the consent: %v, %v", info, err)
	}
	for range 3 { // each token is valid once
		want("the next start", 1, start(nil))
	}
	want("until the user ends it", 1, start(func(*portal.Portal) {
		p.End()
		waittest.Until(t, "the consent is deleted after the user ended it", func() bool { return !kept() })
	}))
	want("after the user ended it", 2, start(nil))

	// Others could have read or written the token, so the user is asked.
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	want("a file that others can read", 3, start(nil))
	// If the desktop does not accept a token, the user is asked, too. A refusal is not kept.
	if err := os.WriteFile(file, []byte("revoked"), 0o600); err != nil {
		t.Fatal(err)
	}
	answer.Store(portaltest.Refuse)
	if err := start(nil); !errors.Is(err, portal.ErrDenied) || kept() {
		t.Errorf("after a refusal: %v; kept %t", err, kept())
	}
	if f := p.Faults(); len(f) > 0 {
		t.Errorf("the portal complains: %v", f)
	}
}

// Version 1 of the interface cannot keep the consent, and refuses the option for it.
func TestConsentOfAnOldPortal(t *testing.T) {
	p := &portaltest.Portal{Old: true, Keyboard: func() (uint32, uint32) { return portaltest.Agree, 7 }}
	address := bustest.Start(t)
	conn, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	file := filepath.Join(t.TempDir(), "consent")
	got, err := portal.Open(t.Context(), portal.Options{Session: filtered(t, address), Consent: file})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if _, err := got.Allow(soon(t)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) || len(p.Faults()) > 0 {
		t.Errorf("%v, %v", err, p.Faults())
	}
}
