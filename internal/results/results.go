// Package results stores large results of tools in files, so that a model can later read parts of
// them and pass them on.
//
// It owns one folder. It must not know conversations, models or servers.
package results

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"goated/internal/lazyregexp"
)

// A Store stores texts in a folder. It is safe for concurrent use. The zero value with a Dir is
// ready.
type Store struct {
	// Dir is the folder. The store creates it with the first text. Only the user can read it.
	Dir string
	// MaxBytes limits the total size of the texts, in bytes; 0 means 1 GiB. The oldest texts are
	// deleted first. Several stores of one folder can exceed the limit together, because each
	// measures the folder only from time to time.
	MaxBytes int64

	mu   sync.Mutex
	room int64 // bytes that can be written before the folder is measured again
}

// errGone is the error for a text that the store does not have or no longer has.
var errGone = errors.New("there is no result with this id; the oldest results are deleted to save space")

// name matches the form of an id, so that an id never leads out of the folder.
var name = lazyregexp.New(`^[0-9a-f]{12}$`)

// Put stores a text and returns its id.
func (s *Store) Put(text []byte) (id string, err error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return "", fmt.Errorf("keeping a result: %w", err)
	}
	s.reserve(int64(len(text)))
	raw := make([]byte, 6)
	_, _ = rand.Read(raw) // never fails
	id = hex.EncodeToString(raw)
	if err := os.WriteFile(s.path(id), text, 0o600); err != nil {
		_ = os.Remove(s.path(id)) // a full disk may have left a part
		return "", fmt.Errorf("keeping a result: %w", err)
	}
	return id, nil
}

// Get returns the text with an id, or [errGone].
func (s *Store) Get(id string) ([]byte, error) {
	if !name.MatchString(id) {
		return nil, errGone
	}
	text, err := os.ReadFile(s.path(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errGone
	}
	if err != nil {
		return nil, fmt.Errorf("reading a result: %w", err)
	}
	now := time.Now()
	_ = os.Chtimes(s.path(id), now, now) // a text that was read counts as new
	return text, nil
}

func (s *Store) path(id string) string { return filepath.Join(s.Dir, id+".txt") }

// reserve makes room for a text of a size.
func (s *Store) reserve(size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room <= size {
		most := cmp.Or(s.MaxBytes, 1<<30)
		s.room = most - s.tidy(most, size)
	}
	s.room -= size
}

// tidy deletes the oldest texts until half of the space is free, if a text of this size does not
// fit. It returns the total size of the remaining texts.
func (s *Store) tidy(most, size int64) (sum int64) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return 0
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files, sum = append(files, info), sum+info.Size()
		}
	}
	if sum+size <= most {
		return sum
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if sum <= most/2 {
			break
		}
		if os.Remove(filepath.Join(s.Dir, f.Name())) == nil {
			sum -= f.Size()
		}
	}
	return sum
}
