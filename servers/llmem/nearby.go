package llmem

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"goated/internal/enumeration"
	"goated/internal/lazyregexp"
	"goated/servers/llmem/workspace"
)

// maxNearby bounds the paths that an error suggests.
const maxNearby = 3

// withSuggestions adds to the error for a missing path the paths that the caller may have meant. Models
// guess the folder of a file, leave out its extension or append a line number.
func (c *call) withSuggestions(ctx context.Context, err error) error {
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, workspace.ErrOutside) {
		return err
	}
	var args struct{ Path string }
	if json.Unmarshal(c.args, &args) != nil || args.Path == "" {
		return err
	}
	files, _, fault := c.ws.Files(ctx)
	near := similarPaths(files, args.Path)
	if fault != nil || len(near) == 0 {
		return err
	}
	e := failed(err)
	return &failure{e.Code, e.Reason, e.Error, "Did you mean " + enumeration.Or(near) + "?"}
}

// lineOfPath matches a line number after a path.
var lineOfPath = lazyregexp.New(`(?:[:#]L?\d+(?:[-:]L?\d+)*)$`)

// similarPaths returns the files, and then the folders, that have the same last name as a path. Paths
// with the longest common end come first.
func similarPaths(files []workspace.Entry, given string) []string {
	given = strings.Trim(strings.TrimSpace(given), "`'\"")
	given = lineOfPath.ReplaceAllString(strings.TrimPrefix(given, "file://"), "")
	given = strings.ToLower(path.Clean(strings.ReplaceAll(given, "\\", "/")))
	name := path.Base(given)
	type candidate struct {
		path string
		same int // elements at the end of both paths
	}
	var exact, stems, folders []candidate
	seen := make(map[string]bool)
	for _, f := range files {
		for dir := path.Dir(f.Path); dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			if strings.ToLower(path.Base(dir)) == name {
				folders = append(folders, candidate{dir, commonSuffixLen(strings.ToLower(dir), given)})
			}
		}
		lower := strings.ToLower(f.Path)
		switch base := path.Base(lower); {
		case base == name:
			exact = append(exact, candidate{f.Path, commonSuffixLen(lower, given)})
		case strings.TrimSuffix(base, path.Ext(base)) == name:
			stems = append(stems, candidate{f.Path, commonSuffixLen(strings.TrimSuffix(lower, path.Ext(lower)), given)})
		}
	}
	var near []string
	for _, list := range [][]candidate{exact, stems, folders} {
		slices.SortStableFunc(list, func(a, b candidate) int { return b.same - a.same })
		for _, c := range list {
			near = append(near, c.path)
		}
	}
	return near[:min(len(near), maxNearby)]
}

// commonSuffixLen returns how many elements at the ends of two paths are equal.
func commonSuffixLen(a, b string) (n int) {
	for {
		if a == "." || b == "." || a == "/" || b == "/" || path.Base(a) != path.Base(b) {
			return n
		}
		n++
		a, b = path.Dir(a), path.Dir(b)
	}
}
