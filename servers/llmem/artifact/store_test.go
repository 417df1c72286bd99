package artifact

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"goated/servers/llmem/workspace"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv("LLMEM_WRITER"); dir != "" { // this process is a second server; see TestTwoProcessesLoseNothing
		ws, err := workspace.Open(dir)
		if err != nil {
			panic(err)
		}
		s := New(ws)
		for i := range 40 {
			if _, err := s.Put(context.Background(), Record{SourcePath: fmt.Sprintf("p%s/f%d.go", os.Getenv("LLMEM_NUMBER"), i), Type: "summarize"}, []byte("x")); err != nil {
				panic(err)
			}
		}
		return
	}
	os.Exit(m.Run())
}

func open(t *testing.T) (*Store, string) {
	t.Helper()
	dir := t.TempDir()
	ws, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	return New(ws), dir
}

func TestPathsOfArtifacts(t *testing.T) {
	for _, test := range []struct {
		source, kind string
		folder       bool
		want         string
	}{
		{"a/b.go", "mirror", false, ".artifacts/a/b.go.artifact"},
		{"b.go", "summarize", false, ".artifacts/b.go.summarize.md"},
		{"a/b", "summarize", true, ".artifacts/a/b/b.summarize"},
		{".", "summarize", true, ".artifacts/workspace.summarize"},
		{"a.go", "../../x y", false, ".artifacts/a.go.______x_y.md"},
		{"a.go", "概要", false, ".artifacts/a.go.概要.md"}, // and 説明 is another
		{"a.go", "résumé", false, ".artifacts/a.go.résumé.md"},
		{"a.go", strings.Repeat("é", 40), false, ".artifacts/a.go." + strings.Repeat("é", 32) + ".md"},
	} {
		if have := pathFor(test.source, test.kind, test.folder); have != test.want {
			t.Errorf("%s %s: %s", test.source, test.kind, have)
		}
	}
}

func TestPutReplacesAndKeepsTheID(t *testing.T) {
	s, dir := open(t)
	first, err := s.Put(t.Context(), Record{SourcePath: "a.go", Type: "summarize", SourceHash: "1"}, []byte("one"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Put(t.Context(), Record{SourcePath: "a.go", Type: "summarize", SourceHash: "2"}, []byte("two"))
	if err != nil || second.ID != first.ID || !second.CreatedAt.Equal(first.CreatedAt) || second.SourceHash != "2" {
		t.Errorf("%+v after %+v, %v", second, first, err)
	}
	records, err := s.Records(t.Context())
	if err != nil || len(records) != 1 {
		t.Fatalf("%v, %v", records, err)
	}
	if data, err := s.Content(records[0]); string(data) != "two" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := s.Put(t.Context(), Record{SourcePath: "a.go", Type: "x"}, make([]byte, MaxContent+1)); !errors.Is(err, ErrLarge) {
		t.Errorf("too large: %v", err)
	}
	entries, _ := filepath.Glob(filepath.Join(dir, ".artifacts", ".tmp*"))
	if len(entries) > 0 {
		t.Errorf("left behind: %v", entries)
	}
}

// If a program holds the lock for long, the error says so, and nothing changes.
func TestALockThatStaysIsBusy(t *testing.T) {
	s, dir := open(t)
	if _, err := s.Put(t.Context(), Record{SourcePath: "a.go", Type: "x"}, []byte("one")); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(dir, ".artifacts", ".index.lock"))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal(err)
	}
	s.wait = 50 * time.Millisecond
	if _, err := s.Put(t.Context(), Record{SourcePath: "a.go", Type: "x"}, []byte("two")); !errors.Is(err, ErrBusy) {
		t.Errorf("a call that waits: %v", err)
	}
	if _, err := s.Delete(t.Context(), func(Record) bool { return true }); !errors.Is(err, ErrBusy) {
		t.Errorf("a deletion that waits: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	records, err := s.Records(t.Context())
	if err != nil || len(records) != 1 {
		t.Fatalf("%v, %v", records, err)
	}
	if data, err := s.Content(records[0]); string(data) != "one" {
		t.Errorf("%q, %v", data, err)
	}
}

// Many artifacts can be stored with one change of the index.
func TestPutAllChangesTheIndexOnce(t *testing.T) {
	s, _ := open(t)
	changes, real := 0, s.now
	s.now = func() time.Time { changes++; return real() }
	items := make([]Item, 300)
	for i := range items {
		items[i] = Item{Record{SourcePath: fmt.Sprintf("p/f%d.go", i%299), Type: Mirror}, fmt.Appendf(nil, "content %d", i)}
	}
	if err := s.PutAll(t.Context(), items); err != nil || changes != 1 {
		t.Errorf("%d changes, %v", changes, err)
	}
	records, err := s.Records(t.Context())
	if err != nil || len(records) != 299 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records {
		data, err := s.Content(r)
		if err != nil || Hash(data) != r.ContentHash || r.ID == "" {
			t.Errorf("%+v has %q, %v", r, data, err)
		}
	}
	if err := s.PutAll(t.Context(), []Item{{Record{SourcePath: "a.go", Type: "x"}, []byte("x")}, {Record{SourcePath: "b.go", Type: "x"}, make([]byte, MaxContent+1)}}); !errors.Is(err, ErrLarge) || !strings.Contains(err.Error(), "b.go") {
		t.Errorf("too large: %v", err)
	}
}

// Two servers on one workspace lose no artifacts, however their changes overlap.
func TestTwoProcessesLoseNothing(t *testing.T) {
	s, dir := open(t)
	var wg sync.WaitGroup
	for n := range 3 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "LLMEM_WRITER="+dir, fmt.Sprintf("LLMEM_NUMBER=%d", n))
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	for i := range 40 {
		if _, err := s.Put(t.Context(), Record{SourcePath: fmt.Sprintf("own/f%d.go", i), Type: "summarize"}, []byte("x")); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	records, err := s.Records(t.Context())
	if err != nil || len(records) != 160 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records {
		if _, err := s.Content(r); err != nil {
			t.Error(err)
		}
	}
}

// A damaged or missing index loses the hashes, but no artifacts.
func TestDamagedIndexIsRebuilt(t *testing.T) {
	for _, damage := range []string{"{", "null x", `[{"id":"a","artifactPath":"../../etc/passwd"}]`, ""} {
		s, dir := open(t)
		for _, r := range []Record{{SourcePath: "a/b.go", Type: Mirror}, {SourcePath: "a/b.go", Type: "test-plan"}, {SourcePath: "a", Type: "summarize", Folder: true}, {SourcePath: ".", Type: "summarize", Folder: true}} {
			if _, err := s.Put(t.Context(), r, []byte(r.Type)); err != nil {
				t.Fatal(err)
			}
		}
		index := filepath.Join(dir, ".artifacts", ".index.json")
		if damage == "" {
			if err := os.Remove(index); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(index, []byte(damage), 0o600); err != nil {
			t.Fatal(err)
		}
		records, err := s.Records(t.Context())
		if err != nil {
			t.Fatalf("%q: %v", damage, err)
		}
		var have []string
		for _, r := range records {
			data, err := s.Content(r)
			if err != nil || string(data) != r.Type || r.SourceHash != "" {
				t.Errorf("%q: %+v has %q, %v", damage, r, data, err)
			}
			have = append(have, fmt.Sprint(r.SourcePath, " ", r.Type, " ", r.Folder))
		}
		slices.Sort(have)
		if strings.Join(have, ", ") != ". summarize true, a summarize true, a/b.go mirror false, a/b.go test-plan false" {
			t.Errorf("%q: rebuilt %q", damage, have)
		}
		kept, _ := filepath.Glob(index + ".damaged-*")
		if (len(kept) == 1) != (damage != "") {
			t.Errorf("%q: kept %v", damage, kept)
		}
	}
}

// The folder of artifacts may be a trap. No link in it leads outside.
func TestLinksDoNotLeadOutside(t *testing.T) {
	for _, link := range []string{".artifacts", ".artifacts/a.go.x.md", ".artifacts/.index.json", ".artifacts/.index.lock", ".artifacts/sub"} {
		s, dir := open(t)
		outside := t.TempDir()
		target := filepath.Join(outside, "target")
		if strings.HasSuffix(link, "s") || strings.HasSuffix(link, "sub") {
			if err := os.Mkdir(target, 0o700); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(target, []byte("[]"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
		for _, source := range []string{"a.go", "sub/b.go"} {
			_, _ = s.Put(t.Context(), Record{SourcePath: source, Type: "x"}, []byte("content")) // may fail
		}
		_ = filepath.WalkDir(outside, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				if data, _ := os.ReadFile(path); path != target || string(data) != "[]" {
					t.Errorf("%s: wrote %s", link, path)
				}
			}
			return nil
		})
	}
}

func TestDeleteRemovesEmptyFolders(t *testing.T) {
	s, dir := open(t)
	for _, p := range []string{"a/b/c.go", "a/d.go"} {
		if _, err := s.Put(t.Context(), Record{SourcePath: p, Type: "x"}, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	gone, err := s.Delete(t.Context(), func(r Record) bool { return r.SourcePath == "a/b/c.go" })
	if err != nil || len(gone) != 1 {
		t.Errorf("%v, %v", gone, err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".artifacts/a/b")); err == nil {
		t.Error("an empty folder stays")
	}
	if _, err := os.Stat(filepath.Join(dir, ".artifacts/a/d.go.x.md")); err != nil {
		t.Error(err)
	}
	if _, err := s.Delete(t.Context(), func(Record) bool { return false }); !errors.Is(err, ErrNotFound) {
		t.Errorf("nothing to delete: %v", err)
	}
}

// If a change fails halfway, the index lists the artifacts that exist.
func TestIndexMatchesTheFilesAfterAFailure(t *testing.T) {
	s, dir := open(t)
	blocked := filepath.Join(dir, ".artifacts", "b.go.x.md", "sub") // a folder in place of the artifact
	if err := os.MkdirAll(blocked, 0o700); err != nil {
		t.Fatal(err)
	}
	indexed := func() (all []string) {
		records, err := s.Records(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if _, err := s.Content(r); err != nil {
				t.Error(err)
			}
			all = append(all, r.SourcePath)
		}
		return all
	}
	if _, err := s.Put(t.Context(), Record{SourcePath: "c.go", Type: "x"}, []byte("c")); err != nil {
		t.Fatal(err)
	}
	items := []Item{{Record{SourcePath: "a.go", Type: "x"}, []byte("a")}, {Record{SourcePath: "b.go", Type: "x"}, []byte("b")}}
	if err := s.PutAll(t.Context(), items); err == nil {
		t.Error("an artifact replaced a folder")
	}
	if got := indexed(); !slices.Equal(got, []string{"a.go", "c.go"}) {
		t.Errorf("after PutAll, the index lists %q", got)
	}
	blocked = filepath.Join(dir, ".artifacts", "c.go.x.md")
	if err := errors.Join(os.Remove(blocked), os.MkdirAll(filepath.Join(blocked, "sub"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Delete(t.Context(), func(Record) bool { return true }); err == nil || strings.Contains(err.Error(), dir) {
		t.Errorf("deleting a folder in place of an artifact: %v", err)
	}
	if records, err := s.Records(t.Context()); err != nil || len(records) != 1 || records[0].SourcePath != "c.go" {
		t.Errorf("after Delete, the index lists %+v, %v", records, err)
	}
}
