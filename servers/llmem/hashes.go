package llmem

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"

	"goated/servers/llmem/artifact"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// hashFolder sets the hash of a folder. The hash changes if the content of a source file in the
// folder changes, or if a source file is added or removed. It does not change if only times change,
// as with touch, a checkout or a clone.
func (c *call) hashFolder(ctx context.Context, s *source) (err error) {
	if s.folder && s.hash == "" {
		s.hash, err = c.state().folder(ctx, s.path)
	}
	return err
}

// A state determines what is out of date. It lists the workspace once, at its first use.
type state struct {
	*call
	listed bool
	files  []workspace.Entry
	known  map[string]string // hashes of folders
}

func (c *call) state() *state {
	return &state{call: c, known: make(map[string]string)}
}

// list returns the files of the workspace.
func (s *state) list(ctx context.Context) ([]workspace.Entry, error) {
	if !s.listed {
		files, _, err := s.ws.Files(ctx)
		if err != nil {
			return nil, err
		}
		s.files, s.listed = files, true
	}
	return s.files, nil
}

// folder returns the hash of a folder.
func (s *state) folder(ctx context.Context, name string) (string, error) {
	if h, ok := s.known[name]; ok {
		return h, nil
	}
	files, err := s.list(ctx)
	if err != nil {
		return "", err
	}
	files = sourcesIn(files, name)
	sums, err := s.index.Sums(ctx, files)
	if err != nil {
		return "", err
	}
	all := sha256.New()
	for i, f := range files {
		writeFile(all, f.Path, sums[i])
	}
	s.known[name] = hex.EncodeToString(all.Sum(nil))
	return s.known[name], nil
}

func writeFile(h hash.Hash, path string, sum uint64) {
	_, _ = fmt.Fprintf(h, "%s\x00%d\n", path, sum) // writing to a hash never fails
}

// stale reports whether a record is older than its source. A source that is gone or unreadable
// makes each record stale.
func (s *state) stale(ctx context.Context, r artifact.Record) bool {
	if r.SourceHash == "" {
		return true
	}
	if r.Folder {
		h, err := s.folder(ctx, r.SourcePath)
		return err != nil || h != r.SourceHash
	}
	info, err := s.ws.Stat(r.SourcePath)
	if err != nil || info.Size() != r.SourceSize {
		return true
	}
	sums, err := s.index.Sums(ctx, []workspace.Entry{workspace.NewEntry(r.SourcePath, info)})
	if err != nil {
		return true
	}
	full, err := hex.DecodeString(r.SourceHash)
	return err != nil || len(full) < 8 || binary.LittleEndian.Uint64(full) != sums[0]
}

// sourcesIn returns the files of a folder that have an outline.
func sourcesIn(files []workspace.Entry, folder string) []workspace.Entry {
	var list []workspace.Entry
	for _, f := range files {
		if isUnder(f.Path, folder) && outline.Language(f.Path, nil) != "" {
			list = append(list, f)
		}
	}
	return list
}
