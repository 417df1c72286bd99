package llmem

import (
	"context"
	"errors"
	"io/fs"

	"goated/servers/llmem/artifact"
)

// moved returns what is stored about a file that is gone and had the content of src, with its path: it is src
// before it was renamed. A path without records has none of its own to confuse them with.
func (c *call) moved(ctx context.Context, src *source) (before string, records []artifact.Record, err error) {
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
