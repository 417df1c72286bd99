// Package userpath checks the file paths that a caller gives.
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

// maxPath is the maximum length of a path in bytes.
const maxPath = 4096

// Exists reports whether a file or folder exists at a path. It returns an error if that cannot be
// determined.
func Exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return err == nil, nil
	}
	return false, Unseen(path, err)
}

// Unseen returns the error for a path whose existence cannot be determined.
func Unseen(path string, err error) error {
	return status.Errorf(codes.PermissionDenied, "goated cannot see whether %q exists: %v", path, err)
}

// CheckFile returns an error if nothing exists at a path.
func CheckFile(path string) error {
	there, err := Exists(path)
	if err == nil && !there {
		err = fault.NotFound("there is no file %q; check the path", path)
	}
	return err
}

// Check returns an error unless a path is absolute, not too long and without line breaks.
func Check(path string) error {
	if !filepath.IsAbs(path) || len(path) > maxPath || strings.ContainsAny(path, "\x00\n\r") {
		return fault.Invalid("%q is not an absolute path of at most %d bytes", path, maxPath)
	}
	return nil
}

// Unselected is the remark that a path was only checked, because Linux has no Finder whose
// selection could change.
const Unselected = "Nothing is selected in the application. automate_open_file_dialog answers its dialog with a path, and drag_files drops files onto it."
