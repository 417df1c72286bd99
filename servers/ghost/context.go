package ghost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
	"goated/internal/paths"
)

const (
	maxEntries = 10_000 // a model cannot use more
	maxPath    = 4096
)

// project is the directory tree that the model may list.
type project struct {
	root string
	max  int
}

type contextArgs struct {
	DirectoryPath string `json:"directoryPath"`
}

type entry struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Size int64  `json:"size"`
}

// The two types of entries, in sort order.
const (
	typeDirectory = "directory"
	typeFile      = "file"
)

type listing struct {
	Entries   []entry `json:"entries"`
	Truncated bool    `json:"truncated,omitempty"`
}

func (p project) read(_ context.Context, _ *mcp.CallToolRequest, args contextArgs) (*mcp.CallToolResult, listing, error) {
	l, err := p.list(args.DirectoryPath)
	if err != nil {
		return nil, listing{}, err
	}
	out, err := lines(l.Entries)
	if err != nil {
		return nil, listing{}, fmt.Errorf("encoding the listing: %w", err)
	}
	res := text(out)
	if l.Truncated {
		res.Content = append(res.Content, &mcp.TextContent{
			Text: fmt.Sprintf("Note: the directory holds more than %d entries, only the first %d found are listed.", p.max, p.max),
		})
	}
	return res, l, nil
}

// lines encodes entries as a JSON array with one entry per line. With one line per member, a model
// would read twice as many tokens.
func lines(entries []entry) (string, error) {
	if len(entries) == 0 {
		return "[]", nil
	}
	rows := make([]string, len(entries))
	for i, e := range entries {
		row, err := exact.Encode(e)
		if err != nil {
			return "", err
		}
		rows[i] = "  " + string(row)
	}
	return "[\n" + strings.Join(rows, ",\n") + "\n]", nil
}

// list lists one directory. given is the caller's path, the only path that an error may contain.
func (p project) list(given string) (listing, error) {
	if why := paths.NoProject(p.root); why != "" {
		return listing{}, noProject(why)
	}
	root, err := os.OpenRoot(p.root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return listing{}, noProject("the folder of the project does not exist")
	case err != nil:
		return listing{}, fmt.Errorf("opening the project directory: %w", paths.WithoutPath(err))
	}
	defer root.Close()

	if len(given) > maxPath {
		return listing{}, fmt.Errorf("directory path is %d bytes long, the limit is %d", len(given), maxPath)
	}
	rel, ok := p.relative(given)
	if !ok {
		return listing{}, refusal("Directory is outside the project: " + given)
	}
	rel, info, err := p.stat(root, rel, maxLinks)
	if err != nil {
		return listing{}, explain(err, given)
	}
	if !info.IsDir() {
		return listing{}, refusal("Path is not a directory: " + given)
	}
	found, truncated, err := readDir(root, rel, p.max)
	if err != nil {
		return listing{}, explain(err, given)
	}

	l := listing{Entries: make([]entry, 0, len(found)), Truncated: truncated}
	for _, e := range found {
		if e, ok := p.entry(root, rel, e); ok {
			l.Entries = append(l.Entries, e)
		}
	}
	slices.SortFunc(l.Entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name))
	})
	return l, nil
}

// entry describes one name in the directory rel. For a symbolic link within the project, it
// describes the target. Other files (a broken link, a link that leads outside, a pipe, a device)
// have size 0, and entry does not open them. ok is false if the name no longer exists.
func (p project) entry(root *os.Root, rel string, d fs.DirEntry) (e entry, ok bool) {
	e = entry{Name: d.Name(), Type: typeFile}
	name := filepath.Join(rel, d.Name())
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return e, false
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		_, info, err = p.stat(root, name, maxLinks)
	}
	switch {
	case err != nil:
	case info.IsDir():
		e.Type = typeDirectory
	case info.Mode().IsRegular():
		e.Size = info.Size()
	}
	return e, true
}

// noProject returns the error for a server outside a project, which tells the user what to set.
func noProject(why string) error {
	return fmt.Errorf("%s. %s", why, paths.ChooseProject("ghost"))
}

func explain(err error, given string) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refusal("Directory does not exist: " + given)
	case strings.Contains(err.Error(), "escapes from parent"): // a link that leads outside; package os has no name for the error
		return refusal("Directory is outside the project: " + given)
	case errors.Is(err, fs.ErrPermission):
		return refusal("Insufficient permissions to read directory: " + given)
	}
	return fmt.Errorf("reading directory %s: %w", given, paths.WithoutPath(err))
}
