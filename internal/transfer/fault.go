package transfer

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// A Fault is the error for a file of servers that cannot be read.
type Fault struct {
	Path string
	Err  error // the cause

	said   string // sentence about what is wrong
	advice string // what the user who named the file can do
}

func (f *Fault) Error() string { return fmt.Sprintf("reading %s: %s", f.Path, f.said) }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// ErrEmpty is the cause of the [Fault] for an empty file.
var ErrEmpty = errors.New("it is empty")

// Causes that are not errors of the system.
var (
	errFolder  = errors.New("it is a folder")
	errSpecial = errors.New("it is not a file")
	errLarge   = errors.New("it is larger than 32 MiB")
)

// FaultOf returns the Fault for an error that occurred while reading a file.
func FaultOf(path string, err error) *Fault {
	f := &Fault{Path: path, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.said, f.advice = "the file does not exist", "Check the path."
	case errors.Is(err, fs.ErrPermission):
		f.said, f.advice = "you have no permission to read it", "Change the permissions of the file or of its folders, or name a copy of it."
	case errors.Is(err, syscall.ENOTDIR):
		f.said, f.advice = "a part of its path is not a folder", "Check the path."
	case errors.Is(err, errFolder):
		f.said, f.advice = err.Error(), "Name the configuration file in it."
	case errors.Is(err, ErrEmpty):
		f.said, f.advice = err.Error(), "Add a server to it, or name another file."
	case errors.Is(err, errSpecial), errors.Is(err, errLarge):
		f.said, f.advice = err.Error(), "Name the configuration file of an MCP client."
	default:
		f.said, f.advice = unwrapped(err).Error(), "Correct the file, or name another one."
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			f.advice = "Check the path and the disk, and try again."
		}
	}
	return f
}

// Advised returns the error for a file that the user named, together with advice on what to do.
func Advised(err error) error {
	var f *Fault
	if !errors.As(err, &f) {
		return err
	}
	return fmt.Errorf("%w. %s", err, f.advice)
}

// CheckName returns an error if file is a URL instead of a path.
func CheckName(file string) error {
	if strings.Contains(file, "://") {
		return fmt.Errorf("%s is an address, and goated reads only files of this computer. Download it first, or add the server of an address with: goated servers add URL", file)
	}
	return nil
}
