//go:build amd64 || arm64

package sandbox

import (
	"errors"
	"os"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox/folderbroker"
	"goated/internal/sandbox/protect"
)

// guardedCalls change files. The filter reports them only for a folder broker.
var guardedCalls = append([]uintptr{unix.SYS_TRUNCATE, unix.SYS_MKNODAT}, oldGuarded...)

// guardRules returns the rules that a folder broker needs in addition to an observer's.
func guardRules() []rule {
	var out []rule
	for _, nr := range guardedCalls {
		out = append(out, rule{nr: nr})
	}
	return out
}

// newFolderBroker returns the folder broker for the guarded folders of p, which prepare has
// processed. It returns nil if there are none.
func newFolderBroker(p Policy, report func(Permission)) *folderbroker.Broker {
	if len(p.Guarded) == 0 {
		return nil
	}
	named := slices.DeleteFunc(slices.Concat(p.writable(), p.Files), func(path string) bool { return slices.Contains(p.Guarded, path) })
	return &folderbroker.Broker{
		Guard:   &protect.Guard{Folders: p.Guarded, Named: named, Fixed: p.Protected},
		Refused: func(path string, folder bool) { report(protected(path, folder)) },
	}
}

// protected returns the permission to write a protected file, or to create a protected folder.
func protected(path string, folder bool) Permission {
	if _, err := os.Lstat(path); err == nil || folder {
		return Permission{Kind: ToWrite, Path: path}
	}
	return Permission{Kind: ToWriteFile, Path: path}
}

// act lets the folder broker do a call's change. done is false if the call changes nothing in a
// guarded folder.
func (o *observer) act(d *notifier, fd uintptr, r request) (done bool, err error) {
	if o.folders == nil {
		return false, nil
	}
	answer, err := o.folders.Do(folderbroker.Call{PID: int(r.pid), Nr: uintptr(r.nr), Args: r.argument, Valid: func() error { return stillWaits(fd, r) }})
	switch {
	case errors.Is(err, folderbroker.ErrElsewhere):
		return false, nil
	case err != nil || answer.FD < 0:
		return true, err
	}
	return true, d.give(fd, r, answer.FD, answer.Flags)
}

// stillWaits returns an error if a call no longer waits, because the data read from it may then
// belong to another call.
func stillWaits(listener uintptr, r request) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, listener, unix.SECCOMP_IOCTL_NOTIF_ID_VALID, uintptr(unsafe.Pointer(&r.id))); errno != 0 {
		return errno
	}
	return nil
}
