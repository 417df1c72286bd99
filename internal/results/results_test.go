package results

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestPutAndGet(t *testing.T) {
	s := &Store{Dir: filepath.Join(t.TempDir(), "results")}
	text := bytes.Repeat([]byte("line\n"), 1<<20)
	id, err := s.Put(text)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := (&Store{Dir: s.Dir}).Get(id); err != nil || !bytes.Equal(got, text) {
		t.Errorf("%d bytes come back, %v", len(got), err)
	}
	if info, err := os.Stat(s.path(id)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
	for _, wrong := range []string{"", "0123456789ab", "../" + id, id + "/", strings.ToUpper(id), "..%2fx"} {
		if _, err := s.Get(wrong); !errors.Is(err, errGone) && wrong != id {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// A full store deletes its oldest texts. A text that was read counts as new.
func TestOldestTextsGo(t *testing.T) {
	s := &Store{Dir: t.TempDir()}
	var ids []string
	for i := range 10 {
		id, err := s.Put(make([]byte, 100))
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(time.Duration(i-100) * time.Hour)
		if err := os.Chtimes(s.path(id), old, old); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if _, err := s.Get(ids[0]); err != nil {
		t.Fatal(err)
	}
	again := &Store{Dir: s.Dir, MaxBytes: 800}
	if _, err := again.Put(nil); err != nil {
		t.Fatal(err)
	}
	for i, id := range ids {
		_, err := again.Get(id)
		if kept := err == nil; kept != (i == 0 || i > 6) {
			t.Errorf("text %d is kept: %t", i, kept)
		}
	}
}

func TestDiskErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Store{Dir: filepath.Join(file, "results")}).Put([]byte("x")); err == nil {
		t.Error("a text is kept in a file's folder")
	}
}

// A long conversation does not fill the disk, because the limit applies to each new text.
func TestSumHoldsWithinOneStore(t *testing.T) {
	s := &Store{Dir: t.TempDir(), MaxBytes: 1000}
	last := ""
	for range 50 {
		id, err := s.Put(make([]byte, 100))
		if err != nil {
			t.Fatal(err)
		}
		last = id
	}
	sum := int64(0)
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		sum += info.Size()
	}
	if sum > s.MaxBytes || sum < s.MaxBytes/2 {
		t.Errorf("the folder has %d bytes", sum)
	}
	if _, err := s.Get(last); err != nil {
		t.Errorf("the newest text: %v", err)
	}
}
