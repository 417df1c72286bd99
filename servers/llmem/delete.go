package llmem

import (
	"context"
	"errors"
	"fmt"

	"goated/servers/llmem/artifact"
)

// maxDeleted bounds the paths in an answer of delete_artifact.
const maxDeleted = 50

type deleted struct {
	Deleted []string `json:"deleted" jsonschema:"paths of the artifacts"`
	More    int      `json:"moreDeleted,omitempty" jsonschema:"artifacts that were deleted, too, and are not listed"`
}

func deleteArtifact(ctx context.Context, c *call) (envelope, error) {
	var args struct {
		Path, Type string
		Recursive  bool
	}
	if err := c.decode(&args); err != nil {
		return envelope{}, err
	}
	records, clean, err := c.resolve(ctx, args.Path)
	if err != nil {
		return envelope{}, err
	}
	ids := make(map[string]bool)
	for _, r := range records {
		ids[r.ID] = true
	}
	kind, below := artifactType(args.Type), 0
	gone, err := c.artifacts.Delete(ctx, func(r artifact.Record) bool {
		if kind != "" && r.Type != kind {
			return false
		}
		inside := !ids[r.ID] && isUnder(r.SourcePath, clean)
		if inside {
			below++
		}
		return ids[r.ID] || args.Recursive && inside
	})
	switch {
	case errors.Is(err, artifact.ErrNotFound) && below > 0:
		return envelope{}, &failure{codeNotFound, "not_found", fmt.Sprintf("nothing was deleted: no artifact of %s itself matches; artifacts below it that match: %d", base(clean), below), "Pass recursive: true to delete them."}
	case errors.Is(err, artifact.ErrNotFound) && kind != "":
		return envelope{}, noTypeError(args.Path, kind, records)
	case err != nil:
		return envelope{}, fmt.Errorf("%s: %w", args.Path, err)
	}
	answer := deleted{Deleted: make([]string, 0, min(len(gone), maxDeleted)), More: max(0, len(gone)-maxDeleted)}
	for _, r := range gone[:min(len(gone), maxDeleted)] {
		answer.Deleted = append(answer.Deleted, r.ArtifactPath)
	}
	return envelope{Status: statusSuccess, Data: answer}, nil
}
