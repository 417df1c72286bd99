package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A damaged database is not quarantined while another process has it open, because that process would
// continue to write to the renamed file. Open returns an error, and a retry works later.
func TestNoQuarantineWhileInUse(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "history.db")
	say := func(s *Store, text string) error {
		c, err := s.Create(ctx)
		if err != nil {
			return err
		}
		r, err := s.Begin(ctx, c.ID, "", words(text))
		if err != nil {
			return err
		}
		return r.End(ctx, nil)
	}
	other, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		if err := say(other, fmt.Sprint("older ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if other, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	if err := say(other, "said before"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = out.WriteAt(make([]byte, len(data)-3*4096), 3*4096)
	if err := errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}

	s := newStore(path, time.Now, shortTiming(200*time.Millisecond))
	go s.base.firstAttempt(ctx)
	defer s.Close()
	for _, try := range []func() error{
		func() error { _, err := s.Conversations(ctx); return err },
		func() error { return s.Retry(ctx) },
	} {
		if err := try(); !errors.Is(err, ErrNotOpened) || !errors.Is(err, ErrInUse) || strings.Contains(err.Error(), "restart goated") {
			t.Fatalf("the error is %v", err)
		}
	}
	if err := say(s, "a waiting turn"); !errors.Is(err, ErrPending) {
		t.Fatal(err)
	}
	acknowledged := []string{"said before"}
	if say(other, "said after") == nil {
		acknowledged = append(acknowledged, "said after")
	}
	_ = other.Close()

	if err := s.Retry(ctx); err != nil || s.Warning() == nil {
		t.Fatalf("%v, warning %v", err, s.Warning())
	}
	saved(t, s)
	all, err := s.Conversations(ctx)
	if err != nil || len(all) < 1 || all[0].Title != "a waiting turn" { // the readable conversations are back, too
		t.Errorf("%+v, %v", all, err)
	}
	files, _ := filepath.Glob(path + quarantineInfix + "*")
	var kept []byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, data...)
	}
	for _, text := range acknowledged {
		if !bytes.Contains(kept, []byte(text)) {
			t.Errorf("%q is in none of %q", text, files)
		}
	}
}
