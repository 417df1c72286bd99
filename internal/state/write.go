package state

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Part is the suffix of the temporary file of [WriteFile]. A killed process may leave one behind.
// The next write of the same file reuses it.
const Part = ".part"

// WriteFile replaces a file: it writes and syncs a temporary file, renames it, and syncs the
// folder. Readers see either the old or the new contents, even after a crash. An error before the
// rename changes nothing. Only the owner can read the file. The caller must prevent other writers
// of the same file.
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
		_ = os.Remove(f.Name()) // it is incomplete
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Replace is like [WriteFile], but several processes may write the file: each uses its own
// temporary file, and the last rename wins. The write function produces the contents.
func Replace(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*"+Part) // with mode 0600
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it is incomplete
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// ReplaceBytes is [Replace] for contents in memory.
func ReplaceBytes(path string, data []byte) error {
	return Replace(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// SyncDir makes a rename in a folder durable. It does nothing on Windows, nor on file systems that
// cannot open or sync folders.
func SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return nil // best effort
	}
	defer dir.Close()
	err = dir.Sync()
	if runtime.GOOS == "windows" || errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
