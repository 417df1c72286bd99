// Package userpath checks the paths of files that a caller names.
//
// It must not know what happens to a file.
package userpath

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/fault"
)

// maxPath is the longest path, in bytes.
const maxPath = 4096

// Exists reports whether a path leads to something. An error says that this is not known.
func Exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return err == nil, nil
	}
	return false, Unseen(path, err)
}

// Unseen returns the error of a path of which nothing is known.
func Unseen(path string, err error) error {
	return status.Errorf(codes.PermissionDenied, "goated cannot see whether %q exists: %v", path, err)
}

// CheckFile refuses a path that leads to nothing.
func CheckFile(path string) error {
	there, err := Exists(path)
	if err == nil && !there {
		err = fault.NotFound("there is no file %q; check the path", path)
	}
	return err
}

// Check refuses what is no absolute path.
func Check(path string) error {
	if !filepath.IsAbs(path) || len(path) > maxPath || strings.ContainsAny(path, "\x00\n\r") {
		return fault.Invalid("%q is not an absolute path of at most %d bytes", path, maxPath)
	}
	return nil
}

// Unselected says that a path is only reported: Linux has no Finder whose selection could change.
const Unselected = "Nothing is selected in the application. automate_open_file_dialog answers its dialog with a path, and drag_files drops files onto it."
