package transfer

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// A Fault is why a file of servers is not read.
type Fault struct {
	Path string
	Err  error // the cause

	said   string // what is wrong
	advice string // for the user who named the file
}

func (f *Fault) Error() string { return fmt.Sprintf("reading %s: %s", f.Path, f.said) }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// ErrEmpty is the cause of a [Fault] about a file with nothing in it.
var ErrEmpty = errors.New("it is empty")

// The causes that no system reports.
var (
	errFolder  = errors.New("it is a folder")
	errSpecial = errors.New("it is not a file")
	errLarge   = errors.New("it is larger than 32 MiB")
)

// FaultOf says why a file is not read, and what the user can do.
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

// Advised adds to the error of a file that the user named what the user can do.
func Advised(err error) error {
	var f *Fault
	if !errors.As(err, &f) {
		return err
	}
	return fmt.Errorf("%w. %s", err, f.advice)
}

// CheckName returns an error if what should be the path of a file on this computer is an address.
func CheckName(file string) error {
	if strings.Contains(file, "://") {
		return fmt.Errorf("%s is an address, and goated reads only files of this computer. Download it first, or add the server of an address with: goated servers add URL", file)
	}
	return nil
}
