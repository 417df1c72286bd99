package store_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"goated/internal/store"
)

// Open opens any file, quarantines it, or refuses it because it comes from a newer version. It never
// loses the file.
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
	// Changing a few bytes in a good file reaches the most code.
	for _, at := range []uint32{0, 16, 18, 24, 28, 52, 60, 96, 100, 103, 105, 108, 4096, 4100, 8192, 12288, 20480} {
		f.Add(at, []byte{0xff})
		f.Add(at, []byte{0, 0, 0, 0, 0, 0, 0, 0})
	}
	f.Add(uint32(0), []byte("These are my notes."))
	// Replace text of a conversation with text in the format of another program.
	for _, was := range []string{`{"type":`, `{"text":`, `"role":"model"`, `{"parts":`, `"functionCall"`} {
		if at := bytes.Index(data, []byte(was)); at >= 0 {
			for _, export := range append(exports, `{"type":0,`, `{"text":[]`, `"role":"nobody"`, `null,null,`) {
				f.Add(uint32(at), []byte(export[:min(len(export), 100)]))
			}
		}
	}
	f.Fuzz(func(t *testing.T, at uint32, change []byte) {
		t.Parallel()
		changed := bytes.Clone(data)
		copy(changed[int(at)%len(changed):], change)
		path := filepath.Join(t.TempDir(), "history.db")
		// Because of the mark, Open checks the whole file, as after a crash.
		for name, data := range map[string][]byte{path: changed, path + ".damaged": nil} {
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := store.Open(t.Context(), path)
		if err != nil {
			if kept, _ := os.ReadFile(path); !bytes.Equal(kept, changed) {
				t.Fatalf("Open returned %v and changed the file", err)
			}
			return
		}
		defer s.Close()
		if files := glob(t, path+".corrupt-*"); s.Warning() != nil {
			kept, _ := os.ReadFile(files[0])
			if len(files) != 1 || len(kept) != len(changed) {
				t.Fatalf("quarantined: %v, %d bytes of %d", files, len(kept), len(changed))
			}
		}
		all, err := s.Conversations(t.Context())
		for _, c := range all {
			if th, failed := s.Thread(t.Context(), c.ID); failed == nil {
				accepted(t, th.History())
			}
		}
		if err == nil {
			_, _ = converse(t.Context(), s, 1, func(ack) {}) // may fail, but must not panic
		}
	})
}
