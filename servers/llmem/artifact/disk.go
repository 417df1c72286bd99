package artifact

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"encoding/json"

	"github.com/google/uuid"

	"goated/internal/paths"
)

type corruptError struct{ err error }

func (e *corruptError) Error() string {
	return "the index of the artifacts is damaged: " + e.err.Error()
}

// load reads the index. If the index is missing but there are artifacts, it counts as damaged.
func load(root *os.Root) ([]Record, error) {
	f, err := root.Open(filepath.Join(folder, indexFile))
	if errors.Is(err, fs.ErrNotExist) {
		d, err := root.Open(folder)
		if err != nil {
			return nil, nil
		}
		defer d.Close()
		names, _ := d.Readdirnames(-1)
		for _, n := range names {
			if !strings.HasPrefix(n, ".") {
				return nil, &corruptError{errors.New("it is missing")}
			}
		}
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the index of the artifacts: %w", paths.WithoutPath(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxIndex))
	if err != nil {
		return nil, fmt.Errorf("reading the index of the artifacts: %w", paths.WithoutPath(err))
	}
	var records []Record
	if err := json.Unmarshal(data, &records); err != nil {
		return nil, &corruptError{err}
	}
	for _, r := range records {
		if r.ID == "" || !filepath.IsLocal(filepath.FromSlash(r.ArtifactPath)) || !strings.HasPrefix(r.ArtifactPath, folder+"/") || path.Clean(r.ArtifactPath) != r.ArtifactPath {
			return nil, &corruptError{fmt.Errorf("it names the artifact %q", r.ArtifactPath)}
		}
	}
	return records, nil
}

// rebuild creates an index from the artifacts on disk, and keeps a damaged index beside it. The new
// records contain no hash of their source, so they count as stale.
func (s *Store) rebuild(root *os.Root) ([]Record, error) {
	index := filepath.Join(folder, indexFile)
	kept := fmt.Sprintf("%s.damaged-%d", index, s.now().UnixNano())
	if err := root.Rename(index, kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("keeping the damaged index: %w", paths.WithoutPath(err))
	}
	var records []Record
	err := fs.WalkDir(root.FS(), folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") {
			return nil
		}
		r := Record{ID: uuid.NewString(), ArtifactPath: name, CreatedAt: s.now().UTC(), UpdatedAt: s.now().UTC()}
		rel := strings.TrimPrefix(name, folder+"/")
		switch {
		case strings.HasSuffix(rel, ".artifact"):
			r.SourcePath, r.Type = strings.TrimSuffix(rel, ".artifact"), Mirror
		case strings.HasSuffix(rel, ".md"):
			rel = strings.TrimSuffix(rel, ".md")
			r.SourcePath, r.Type = strings.TrimSuffix(rel, path.Ext(rel)), strings.TrimPrefix(path.Ext(rel), ".")
		default:
			r.Folder, r.SourcePath, r.Type = true, path.Dir(rel), strings.TrimPrefix(path.Ext(rel), ".")
		}
		if r.Type == "" || pathFor(r.SourcePath, r.Type, r.Folder) != name {
			return nil // not an artifact
		}
		data, _, err := s.ws.Read(name, MaxContent)
		if err != nil {
			return nil
		}
		r.ContentHash = Hash(data)
		records = append(records, r)
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the artifacts: %w", paths.WithoutPath(err))
	}
	return records, nil
}

// replace writes a whole file atomically: a reader sees either the old or the new content.
func replace(root *os.Root, name string, data []byte) error {
	name = filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("writing %s: %w", name, paths.WithoutPath(err))
	}
	temporary := filepath.Join(filepath.Dir(name), ".tmp-"+uuid.NewString())
	f, err := root.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, paths.WithoutPath(err))
	}
	_, err = f.Write(data)
	err = cmp.Or(err, f.Sync())
	err = cmp.Or(err, f.Close())
	if err == nil {
		err = root.Rename(temporary, name)
	}
	if err != nil {
		_ = root.Remove(temporary) // the other error is more useful
		return fmt.Errorf("writing %s: %w", name, paths.WithoutPath(err))
	}
	return nil
}
