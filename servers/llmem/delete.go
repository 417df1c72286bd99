package llmem

import (
	"context"
	"fmt"

	"goated/servers/llmem/artifact"
)

type deleted struct {
	Deleted []string `json:"deleted" jsonschema:"paths of the artifacts"`
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
	gone, err := c.artifacts.Delete(ctx, func(r artifact.Record) bool {
		if args.Type != "" && r.Type != artifact.CleanType(args.Type) {
			return false
		}
		return ids[r.ID] || args.Recursive && under(r.SourcePath, clean)
	})
	if err != nil {
		return envelope{}, fmt.Errorf("%s: %w", args.Path, err)
	}
	paths := make([]string, 0, len(gone))
	for _, r := range gone {
		paths = append(paths, r.ArtifactPath)
	}
	return envelope{Status: statusSuccess, Data: deleted{paths}}, nil
}
