package state

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Part is the ending of a file that is being written by [WriteFile]. One that is
// left is of a process that was killed, and the next write of the file reuses it.
const Part = ".part"

// WriteFile replaces a file as a whole: temporary file, fsync, rename, fsync of
// the folder. Readers see the old one or the new one, also after a crash, and on
// an error before the rename nothing has changed. Only its owner can read it.
// Nobody else may write the same file at the same time.
func WriteFile(path string, data []byte) error {
	f, err := os.OpenFile(path+Part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is no use
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// SyncDir makes a rename in a folder outlast a crash. Where a folder can't be
// opened or synced, as on Windows and some file systems, there is no more to do.
func SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return nil // the file is there all the same
	}
	defer dir.Close()
	err = dir.Sync()
	if runtime.GOOS == "windows" || errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
