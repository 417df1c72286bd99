package ghost

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// createFile creates a file atomically: no process sees a partial file. It fails with [fs.ErrExist]
// if the name is taken.
func createFile(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	tmp := tempName()
	if err := writeTemp(root, tmp, data, perm); err != nil {
		return err
	}
	defer root.Remove(tmp)
	// A link, unlike a rename, never replaces the file of another process.
	err := root.Link(tmp, name)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// The file system has no hard links. FAT is an example.
		if _, taken := root.Lstat(name); taken == nil {
			return &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
		}
		err = root.Rename(tmp, name)
	}
	if err != nil {
		return err
	}
	return syncDir(root)
}

// replaceFile replaces a file atomically: readers see either the old or the new content. It
// replaces a symbolic link itself rather than its target.
func replaceFile(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	return replaceBy(root, tempName(), name, data, perm)
}

// tempName returns the name of a temporary file.
func tempName() string { return ".ghost-" + rand.Text() + ".tmp" }

// replaceBy is replaceFile with a given temporary name. If the process is killed, the temporary
// file remains.
func replaceBy(root *os.Root, tmp, name string, data []byte, perm fs.FileMode) error {
	if err := writeTemp(root, tmp, data, perm); err != nil {
		return err
	}
	if err := root.Rename(tmp, name); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	return syncDir(root)
}

// writeTemp writes data to a new file and syncs it. Without the sync, a crash after the rename may
// leave an empty file under the final name.
func writeTemp(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = root.Remove(name)
	}
	return err
}

// syncDir makes a rename durable. It does nothing on Windows and on file systems that
// cannot sync a directory.
func syncDir(root *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	err = dir.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
