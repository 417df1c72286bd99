package llmem

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"goated/internal/enumeration"
	"goated/servers/llmem/artifact"
	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// A source is a file or folder in its present state.
type source struct {
	path    string
	folder  bool
	data    []byte
	hash    string // of the content; for a folder it is empty before hashFolder
	mtime   int64
	size    int64
	outline *outline.File // nil if there is none
	why     string        // why there is no outline
}

// read reads a file with its outline, or a folder without its hash.
func (c *call) read(ctx context.Context, name string) (*source, error) {
	clean, err := c.ws.Clean(name)
	if err != nil {
		return nil, err
	}
	info, err := c.ws.Stat(clean)
	if err != nil {
		return nil, err
	}
	clean = c.ws.Folder(clean)
	if err := c.allowed(clean); err != nil {
		return nil, err
	}
	if info.IsDir() {
		return &source{path: clean, folder: true, mtime: info.ModTime().UnixNano()}, nil
	}
	data, info, err := c.ws.Read(clean, int64(c.o.MaxFileBytes))
	if err != nil {
		return nil, err
	}
	s := &source{path: clean, data: outline.Text(data), hash: artifact.Hash(data), mtime: info.ModTime().UnixNano(), size: info.Size()}
	switch s.outline, err = c.parser.Parse(ctx, clean, data); { // the file's original bytes, like the index
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, outline.ErrBinary):
		return nil, fmt.Errorf("%s: %w", clean, err)
	case err != nil: // the tools also work without an outline
		s.outline, s.why = nil, err.Error()
	}
	return s, nil
}

// allowed returns an error if the workspace excludes a path or the path that it leads to. This is
// often a file with keys, such as .env.
func (c *call) allowed(clean string) error {
	if clean != "." && c.ws.Ignored(clean) {
		return fmt.Errorf("%s: %w", clean, workspace.ErrIgnored)
	}
	if real := c.ws.Real(clean); real != clean && real != "." && c.ws.Ignored(real) {
		return fmt.Errorf("%s leads to %s: %w", clean, real, workspace.ErrIgnored)
	}
	return nil
}

// isUnder reports whether a path is a folder or below it.
func isUnder(p, folder string) bool {
	return folder == "." || p == folder || strings.HasPrefix(p, folder+"/")
}

func (s *source) describe(r artifact.Record) artifact.Record {
	r.SourcePath, r.Folder, r.SourceHash, r.SourceMtime, r.SourceSize = s.path, s.folder, s.hash, s.mtime, s.size
	r.Symbols = s.symbolHashes()
	return r
}

// qualified returns the name of a symbol including its parent.
func qualified(s outline.Symbol) string {
	if s.Parent == "" {
		return s.Name
	}
	return s.Parent + "." + s.Name
}

// symbolHashes returns a short hash of each symbol's text. They show a later reader which symbols
// changed.
func (s *source) symbolHashes() map[string]string {
	if s.outline == nil {
		return nil
	}
	lines := strings.SplitAfter(string(s.data), "\n")
	hashes := make(map[string]string)
	for _, y := range s.outline.Symbols {
		if y.Local || y.StartLine < 1 || y.EndLine > len(lines) || len(hashes) >= 2000 {
			continue
		}
		h := fnv.New32a()
		name := qualified(y)
		_, _ = h.Write([]byte(hashes[name])) // of an earlier overload; writing to a hash never fails
		for _, line := range lines[y.StartLine-1 : y.EndLine] {
			_, _ = h.Write([]byte(line))
		}
		hashes[name] = hex.EncodeToString(h.Sum(nil))
	}
	return hashes
}

// changedSymbols returns the symbols that differ from those in a record.
func (s *source) changedSymbols(r artifact.Record) (list []string) {
	if r.Symbols == nil || s.outline == nil {
		return nil
	}
	now := s.symbolHashes()
	for name, hash := range now {
		if r.Symbols[name] != hash {
			list = append(list, name)
		}
	}
	for name := range r.Symbols {
		if now[name] == "" {
			list = append(list, name+" (removed)")
		}
	}
	slices.Sort(list)
	return list
}

// status updates the parts of the index that w requests.
func (c *call) status(ctx context.Context, w index.Want) (index.Status, error) {
	if w.Progress == nil {
		w.Progress = func(done, total int) { c.progress("Reading source files", done, total) }
	}
	return c.index.Refresh(ctx, w)
}

// goMod returns the content of the workspace's go.mod, if there is one.
func (c *call) goMod() []byte {
	data, _, err := c.ws.Read("go.mod", 1<<20)
	if err != nil {
		return nil
	}
	return data
}

// resolve finds the records for a path, an id or the path of an artifact.
func (c *call) resolve(ctx context.Context, name string) (records []artifact.Record, clean string, err error) {
	all, err := c.artifacts.Records(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, r := range all {
		if r.ID == name {
			return []artifact.Record{r}, r.SourcePath, nil
		}
	}
	if clean, err = c.ws.Clean(name); err != nil {
		return nil, "", err
	}
	clean = c.ws.Folder(clean)
	for _, r := range all {
		if r.ArtifactPath == clean {
			return []artifact.Record{r}, r.SourcePath, nil
		}
		if r.SourcePath == clean {
			records = append(records, r)
		}
	}
	return records, clean, nil
}

// artifactType returns the type of artifacts for a call's argument, or "" for none. The task parse creates
// artifacts of the type mirror.
func artifactType(given string) string {
	switch given {
	case "":
		return ""
	case taskParse:
		return artifact.Mirror
	}
	return artifact.CleanType(given)
}

// noTypeError is the error for a type with no stored artifacts. has lists the existing ones.
func noTypeError(given, kind string, has []artifact.Record) error {
	next := "Nothing is stored about it. "
	if len(has) > 0 {
		types := make([]string, len(has))
		for i, r := range has {
			types[i] = r.Type
		}
		next = "It has " + enumeration.And(types) + ". "
	}
	return &failure{codeNotFound, "not_found", fmt.Sprintf("%s has no artifact of the type %s", given, kind), next + "Call get_artifact without a type, or generate_artifact to write one."}
}

// base returns the last element of a path, for titles.
func base(p string) string {
	if p == "." {
		return "the workspace"
	}
	return path.Base(p)
}
