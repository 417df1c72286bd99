package llmem

import (
	"context"
	"errors"
	"io/fs"

	"goated/servers/llmem/artifact"
)

// recordsBeforeMove returns the stored records about a missing file that had the same content as src, and its
// former path. That file was src before it was renamed. The caller has checked that src's path has
// no records.
func (c *call) recordsBeforeMove(ctx context.Context, src *source) (before string, records []artifact.Record, err error) {
	if src.folder || src.size == 0 { // all empty files are the same
		return "", nil, nil
	}
	all, err := c.artifacts.Records(ctx)
	if err != nil {
		return "", nil, err
	}
	for _, r := range all {
		if r.Folder || r.Type == artifact.Mirror || r.SourceHash != src.hash || before != "" && r.SourcePath != before {
			continue
		}
		if _, err := c.ws.Stat(r.SourcePath); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		before, records = r.SourcePath, append(records, r)
	}
	return before, records, nil
}
