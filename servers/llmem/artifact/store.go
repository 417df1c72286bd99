// Package artifact stores LLMem's artifacts about the files of a workspace in the folder
// .artifacts: one file per source and type, in the same tree, and an index.
//
// It owns that folder. All servers of a workspace share it. Each change holds a lock between
// processes and replaces whole files. The package must not know parsers, models or the protocol.
package artifact

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gofrs/flock"
	"github.com/google/uuid"

	"goated/internal/paths"
	"goated/servers/llmem/workspace"
)

const (
	folder    = workspace.ArtifactFolder
	indexFile = ".index.json"
	lockFile  = ".index.lock"
	maxIndex  = 256 << 20
	lockWait  = 10 * time.Second
)

// MaxContent bounds the content of an artifact, in bytes.
const MaxContent = 1 << 20

// Mirror is the type of an artifact that contains an outline.
const Mirror = "mirror"

// Errors of the store.
var (
	ErrNotFound = errors.New("artifact not found")
	ErrLarge    = errors.New("the content is too large")
	ErrBusy     = errors.New("another program holds the artifacts' lock")
	ErrFolder   = errors.New(folder + " is a file or a link, it has to be a folder")
)

// A Record is the index entry of an artifact. The hashes are SHA-256 in hex.
type Record struct {
	ID           string            `json:"id"`
	SourcePath   string            `json:"sourcePath"`
	ArtifactPath string            `json:"artifactPath"`
	Type         string            `json:"type"`
	Folder       bool              `json:"folder,omitempty"` // the source is a folder
	CreatedAt    time.Time         `json:"createdAt"`
	UpdatedAt    time.Time         `json:"updatedAt"`
	SourceHash   string            `json:"sourceHash,omitempty"`  // of the source that the content describes
	SourceMtime  int64             `json:"sourceMtime,omitempty"` // nanoseconds since 1970
	SourceSize   int64             `json:"sourceSize,omitempty"`
	ContentHash  string            `json:"contentHash"`
	PromptHash   string            `json:"promptHash,omitempty"`
	FocusOn      []string          `json:"focusOn,omitempty"`
	Model        string            `json:"model,omitempty"`   // the model that wrote the content, if goated ran it
	Symbols      map[string]string `json:"symbols,omitempty"` // short hashes of the symbols' texts
}

// A Store holds the artifacts of one workspace. Create it with New. It is safe for concurrent use.
type Store struct {
	ws   *workspace.Workspace
	now  func() time.Time
	wait time.Duration // how long to wait for another program that holds the lock

	mu sync.Mutex // makes the calls of this process wait in order instead of at the file lock

	cached struct {
		sync.Mutex
		info    fs.FileInfo
		records []Record
	}
}

// New returns the store of a workspace. It creates the folder together with the first artifact.
func New(ws *workspace.Workspace) *Store { return &Store{ws: ws, now: time.Now, wait: lockWait} }

// Hash returns the hash of a content.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// pathFor returns the path of an artifact relative to the workspace: FILE.artifact for a mirror,
// FILE.TYPE.md for other types, and FOLDER/NAME.TYPE for a folder.
func pathFor(source, kind string, isFolder bool) string {
	kind = CleanType(kind)
	switch {
	case isFolder && source == ".":
		return path.Join(folder, "workspace."+kind)
	case isFolder:
		return path.Join(folder, source, path.Base(source)+"."+kind)
	case kind == Mirror:
		return path.Join(folder, source+".artifact")
	}
	return path.Join(folder, source+"."+kind+".md")
}

// CleanType returns a type in the form for file names. It keeps the letters of all scripts, because
// two types with the same form would replace each other.
func CleanType(kind string) string {
	kind = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, strings.ToValidUTF8(kind, "_"))
	for len(kind) > 64 {
		_, size := utf8.DecodeLastRuneInString(kind)
		kind = kind[:len(kind)-size]
	}
	return cmp.Or(kind, "note")
}

// An Item is an artifact to store. Only those fields of its record that describe the source are used.
type Item struct {
	Record  Record
	Content []byte
}

// Put stores a content. It replaces the artifact with the same source and type and keeps that
// artifact's id. It uses only those fields of r that describe the source.
func (s *Store) Put(ctx context.Context, r Record, content []byte) (Record, error) {
	items := []Item{{r, content}}
	if err := s.PutAll(ctx, items); err != nil {
		return Record{}, err
	}
	return items[0].Record, nil
}

// PutAll stores contents like Put, with a single change of the index, and completes their records. If
// it fails, it may have stored some of the contents, and the index lists these.
func (s *Store) PutAll(ctx context.Context, items []Item) error {
	if len(items) == 0 {
		return nil
	}
	for i := range items {
		r, content := &items[i].Record, items[i].Content
		if len(content) > MaxContent {
			return fmt.Errorf("the %s of %s has %d bytes, the limit is %d: %w", r.Type, r.SourcePath, len(content), MaxContent, ErrLarge)
		}
		r.Type = CleanType(r.Type)
		r.ArtifactPath = pathFor(r.SourcePath, r.Type, r.Folder)
		r.ContentHash = Hash(content)
	}
	return s.change(ctx, func(root *os.Root, records []Record) ([]Record, error) {
		at := make(map[string]int, len(records))
		for i, r := range records {
			at[r.ArtifactPath] = i
		}
		now := s.now().UTC()
		for i := range items {
			r := &items[i].Record
			r.UpdatedAt = now
			k, exists := at[r.ArtifactPath]
			if exists {
				r.ID, r.CreatedAt = records[k].ID, records[k].CreatedAt
			} else {
				r.ID, r.CreatedAt = uuid.NewString(), now
			}
			if err := replace(root, r.ArtifactPath, items[i].Content); err != nil {
				return records, err
			}
			if exists {
				records[k] = *r
			} else {
				at[r.ArtifactPath] = len(records)
				records = append(records, *r)
			}
		}
		return records, nil
	})
}

// Delete removes the matching artifacts and returns them. It also removes folders that become empty. If
// it fails for some artifacts, these stay in the index.
func (s *Store) Delete(ctx context.Context, match func(Record) bool) ([]Record, error) {
	var gone []Record
	err := s.change(ctx, func(root *os.Root, records []Record) ([]Record, error) {
		var left []Record
		var failed error
		for _, r := range records {
			if !match(r) {
				left = append(left, r)
				continue
			}
			if err := root.Remove(filepath.FromSlash(r.ArtifactPath)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				failed = cmp.Or(failed, fmt.Errorf("deleting %s: %w", r.ArtifactPath, paths.WithoutPath(err)))
				left = append(left, r)
				continue
			}
			gone = append(gone, r)
			for dir := path.Dir(r.ArtifactPath); dir != folder && dir != "."; dir = path.Dir(dir) {
				if root.Remove(filepath.FromSlash(dir)) != nil {
					break // not empty
				}
			}
		}
		if len(gone) == 0 {
			return nil, cmp.Or(failed, ErrNotFound)
		}
		return left, failed
	})
	if err != nil {
		return nil, err
	}
	return gone, nil
}

// Records returns all index entries, ordered by path. The caller must not modify them.
func (s *Store) Records(ctx context.Context) ([]Record, error) {
	root := s.ws.Root()
	if info, err := root.Lstat(folder); err == nil && !info.IsDir() {
		return nil, ErrFolder
	}
	info, err := root.Lstat(filepath.Join(folder, indexFile))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := root.Lstat(folder); err != nil {
			return nil, nil
		}
		info, err = nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the index of the artifacts: %w", err)
	}
	s.cached.Lock()
	defer s.cached.Unlock()
	if same(s.cached.info, info) {
		return s.cached.records, nil
	}
	records, err := load(root)
	var corrupt *corruptError
	if errors.As(err, &corrupt) {
		// Repair it under the lock.
		if err := s.change(ctx, func(_ *os.Root, r []Record) ([]Record, error) { return r, nil }); err != nil {
			return nil, err
		}
		records, err = load(root)
	}
	if err != nil {
		return nil, err
	}
	// A file that changed again within the clock's resolution looks the same.
	if info != nil && s.now().Sub(info.ModTime()) > 2*time.Second {
		s.cached.info, s.cached.records = info, records
	} else {
		s.cached.info = nil
	}
	return records, nil
}

func same(a, b fs.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// Content returns the content of an artifact. It rejects a link out of the folder, which may come
// with a repository and lead to a file that the workspace excludes.
func (s *Store) Content(r Record) ([]byte, error) {
	if !strings.HasPrefix(s.ws.Real(r.ArtifactPath), folder+"/") {
		return nil, fmt.Errorf("%s: %w", r.ArtifactPath, ErrNotFound)
	}
	data, _, err := s.ws.Read(r.ArtifactPath, MaxContent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", r.ArtifactPath, ErrNotFound)
	}
	return data, err
}

// change calls f under the lock and saves the records that f returns. If f fails, it returns the records
// that match the files, or nil if it changed no file.
func (s *Store) change(ctx context.Context, f func(root *os.Root, records []Record) ([]Record, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	root := s.ws.Root()
	if err := root.Mkdir(folder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("creating %s: %w", folder, paths.WithoutPath(err))
	}
	// flock opens a path, so neither the folder nor the lock may be a link.
	if info, err := root.Lstat(folder); err != nil || !info.IsDir() {
		return ErrFolder
	}
	if info, err := root.Lstat(filepath.Join(folder, lockFile)); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s/%s is not a regular file", folder, lockFile)
	}
	lock := flock.New(filepath.Join(s.ws.Dir(), folder, lockFile), flock.SetPermissions(0o600))
	waiting, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	if ok, err := lock.TryLockContext(waiting, 5*time.Millisecond); !ok {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if waiting.Err() != nil {
			return ErrBusy
		}
		return fmt.Errorf("locking the artifacts: %w", paths.WithoutPath(err))
	}
	defer func() { _ = lock.Unlock() }() // closing the file releases the lock in any case

	records, err := load(root)
	var corrupt *corruptError
	if errors.As(err, &corrupt) {
		records, err = s.rebuild(root)
	}
	if err != nil {
		return err
	}
	records, failed := f(root, records)
	if failed != nil && records == nil {
		return failed
	}
	slices.SortFunc(records, func(a, b Record) int { return strings.Compare(a.ArtifactPath, b.ArtifactPath) })
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(records); err != nil {
		return fmt.Errorf("writing the index of the artifacts: %w", err)
	}
	return cmp.Or(failed, replace(root, path.Join(folder, indexFile), b.Bytes()))
}
