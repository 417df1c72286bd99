package ghost

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/paths"
)

// maxContent bounds the size of a note, in bytes.
const maxContent = 1 << 20

// desktop is the directory for notes.
type desktop struct {
	dir string
}

type hauntArgs struct {
	Filename string `json:"filename"`
	Content  string `json:"content"`
}

func (d desktop) haunt(_ context.Context, _ *mcp.CallToolRequest, args hauntArgs) (*mcp.CallToolResult, any, error) {
	if err := checkFilename(args.Filename); err != nil {
		return nil, nil, err
	}
	if len(args.Content) > maxContent {
		return nil, nil, fmt.Errorf("content is %d bytes long, the limit is %d (1 MiB)", len(args.Content), maxContent)
	}
	if err := os.MkdirAll(d.dir, 0o755); err != nil {
		if _, missing := os.Stat(d.dir); errors.Is(err, fs.ErrPermission) && errors.Is(missing, fs.ErrNotExist) {
			// This happens in a sandbox, which allows only paths that exist when the server starts.
			return nil, nil, fmt.Errorf("there is no desktop directory, and this server may not create it: "+
				"make the folder %s in your home folder, restart the server, and try again", filepath.Base(d.dir))
		}
		return nil, nil, fmt.Errorf("creating the desktop directory: %w", paths.WithoutPath(err))
	}
	// A Root keeps the write inside the directory, even if another process replaces a part of the
	// path with a symbolic link.
	root, err := os.OpenRoot(d.dir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the desktop directory: %w", paths.WithoutPath(err))
	}
	defer root.Close()

	path := filepath.Join(d.dir, args.Filename)
	before, err := createOrReplace(root, args.Filename, []byte(args.Content))
	switch {
	case err != nil:
		return nil, nil, err
	case before >= 0:
		return text(fmt.Sprintf("File replaced at %s (it held %d bytes before)", path, before)), nil, nil
	default:
		return text("File created at " + path), nil, nil
	}
}

// createOrReplace creates or replaces the file. It returns the size of the replaced file, or -1 if there was
// none.
func createOrReplace(root *os.Root, name string, data []byte) (before int64, err error) {
	old, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = createFile(root, name, data, 0o644)
		if err == nil {
			return -1, nil
		}
		if errors.Is(err, fs.ErrExist) { // another process created it first
			old, err = root.Lstat(name)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("writing %s: %w", name, paths.WithoutPath(err))
	}
	if !old.Mode().IsRegular() {
		return 0, fmt.Errorf("%s already exists and is not a regular file; it was left as it is", name)
	}
	if old.Mode().Perm()&0o200 == 0 {
		return 0, fmt.Errorf("%s already exists and is read-only; it was left as it is", name)
	}
	// Keep the permissions of the old file, but a note is never executable.
	if err := replaceFile(root, name, data, old.Mode().Perm()&^0o111); err != nil {
		return 0, fmt.Errorf("replacing %s: %w", name, paths.WithoutPath(err))
	}
	return old.Size(), nil
}
