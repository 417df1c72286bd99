package ghost

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// createFile makes a file that appears under its name complete or not at all.
// It fails with [fs.ErrExist] if the name is taken.
func createFile(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	tmp := staging()
	if err := stage(root, tmp, data, perm); err != nil {
		return err
	}
	defer root.Remove(tmp)
	// A link, unlike a rename, never replaces what another process put there
	// in the meantime.
	err := root.Link(tmp, name)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// No hard links on this file system, FAT for one.
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

// replaceFile gives the file of that name new content: readers see the old or
// the new one, never a part. A symbolic link of that name is itself replaced.
func replaceFile(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	return replaceBy(root, staging(), name, data, perm)
}

// staging is the name of a file that is not whole yet.
func staging() string { return ".ghost-" + rand.Text() + ".tmp" }

// replaceBy is replaceFile by way of tmp, which is left behind if the process is
// killed.
func replaceBy(root *os.Root, tmp, name string, data []byte, perm fs.FileMode) error {
	if err := stage(root, tmp, data, perm); err != nil {
		return err
	}
	if err := root.Rename(tmp, name); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	return syncDir(root)
}

// stage writes data to a new file in root and makes it durable: without the
// sync a crash after the rename may leave an empty file under the final name.
func stage(root *os.Root, name string, data []byte, perm fs.FileMode) error {
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

// syncDir makes a rename durable. Windows cannot sync a directory, and some
// file systems do not support it; neither is a failure of the write.
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
