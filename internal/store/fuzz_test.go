package store_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"goated/internal/store"
)

// FuzzOpen gives Open any file. It opens, or what is there is set aside, or it is
// refused as a newer one's; never is it lost.
func FuzzOpen(f *testing.F) {
	good := filepath.Join(f.TempDir(), "good.db")
	s, err := store.Open(context.Background(), good)
	if err == nil {
		_, err = converse(context.Background(), s, 2, func(ack) {})
	}
	if err == nil {
		err = s.Close()
	}
	data, err2 := os.ReadFile(good)
	if err != nil || err2 != nil {
		f.Fatal(err, err2)
	}
	// A change of a few bytes, of a file that is otherwise good, gets furthest.
	for _, at := range []uint32{0, 16, 18, 24, 28, 52, 60, 96, 100, 103, 105, 108, 4096, 4100, 8192, 12288, 20480} {
		f.Add(at, []byte{0xff})
		f.Add(at, []byte{0, 0, 0, 0, 0, 0, 0, 0})
	}
	f.Add(uint32(0), []byte("These are my notes."))
	// And what is kept of a conversation, made into another's.
	for _, was := range []string{`{"type":`, `{"text":`, `"role":"model"`, `{"parts":`, `"functionCall"`} {
		if at := bytes.Index(data, []byte(was)); at >= 0 {
			for _, export := range append(exports, `{"type":0,`, `{"text":[]`, `"role":"nobody"`, `null,null,`) {
				f.Add(uint32(at), []byte(export[:min(len(export), 100)]))
			}
		}
	}
	f.Fuzz(func(t *testing.T, at uint32, change []byte) {
		changed := bytes.Clone(data)
		copy(changed[int(at)%len(changed):], change)
		path := filepath.Join(t.TempDir(), "history.db")
		// The mark has all of it checked, as after a crash.
		for name, data := range map[string][]byte{path: changed, path + ".damaged": nil} {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := store.Open(t.Context(), path)
		if err != nil {
			if kept, _ := os.ReadFile(path); !bytes.Equal(kept, changed) {
				t.Fatalf("it is refused with %v, and changed", err)
			}
			return
		}
		defer s.Close()
		if aside := glob(t, path+".corrupt-*"); s.Warning() != nil {
			kept, _ := os.ReadFile(aside[0])
			if len(aside) != 1 || len(kept) != len(changed) {
				t.Fatalf("set aside: %v, %d bytes of %d", aside, len(kept), len(changed))
			}
		}
		all, err := s.Conversations(t.Context())
		for _, c := range all {
			if th, failed := s.Thread(t.Context(), c.ID); failed == nil {
				accepted(t, th.History())
			}
		}
		if err == nil {
			_, _ = converse(t.Context(), s, 1, func(ack) {}) // may be refused, and does not crash
		}
	})
}
