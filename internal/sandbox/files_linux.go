//go:build amd64 || arm64

package sandbox

import (
	"slices"

	"golang.org/x/sys/unix"
)

// An opening is a call that opens or creates a file, with the index of the argument that
// holds its flags or its mode.
type opening struct {
	nr  uintptr
	arg int
}

// ownerCalls change the owner of a file, which Landlock does not restrict. With a
// descriptor, read access is enough.
var ownerCalls = []uintptr{unix.SYS_FCHOWNAT, unix.SYS_FCHOWN}

// metadataCalls change modes and times.
var metadataCalls = append([]uintptr{unix.SYS_FCHMODAT, unix.SYS_FCHMOD, unix.SYS_UTIMENSAT}, oldMode...)

// attributeCalls fail as on a file system without extended attributes. Landlock does not
// restrict them: with a path they read attributes of unreadable files, such as the origin
// of a download; with a descriptor they change files that are open for reading. Reading
// the attributes of an open file stays possible.
var attributeCalls = []uintptr{
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
	unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR,
}

const setID = unix.S_ISUID | unix.S_ISGID

// fileRules returns the rules for calls on files that Landlock does not restrict. done is
// the errno of the calls that a notifier can do; 0 notifies it.
func fileRules(done unix.Errno) []rule {
	var out []rule
	refuse := func(errno unix.Errno, nr uintptr, where ...condition) {
		out = append(out, rule{nr: nr, errno: errno, where: where})
	}
	for _, nr := range slices.Concat(ownerCalls, oldMetadata) {
		refuse(unix.EPERM, nr)
	}
	for _, nr := range attributeCalls {
		refuse(unix.ENOTSUP, nr)
	}
	// With a descriptor too, for which read access is enough. utimensat takes one with a
	// null path, and a filter sees only half of a pointer.
	for _, nr := range metadataCalls {
		refuse(done, nr)
	}
	for _, o := range append([]opening{{unix.SYS_OPENAT, 2}}, oldOpen...) {
		// Opening a file for neither reading nor writing needs no right of Landlock.
		refuse(unix.EPERM, o.nr, condition{arg: o.arg, mask: unix.O_ACCMODE | unix.O_PATH, in: []uint32{unix.O_ACCMODE}})
		// The mode matters only if the call creates a file.
		makes := uint32(unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY)
		refuse(unix.EPERM, o.nr, condition{arg: o.arg, mask: makes, in: []uint32{0}, not: true}, hasSetID(o.arg+1))
	}
	for _, m := range append([]opening{{unix.SYS_MKNODAT, 2}}, oldMake...) {
		refuse(unix.EPERM, m.nr, hasSetID(m.arg))
	}
	// A lease of a file makes other programs wait before they write it. A notification about
	// a folder makes other programs send signals. 1040 sets a lease of a folder (F_SETDELEG).
	refuse(unix.EPERM, unix.SYS_FCNTL, condition{arg: 1, in: []uint32{unix.F_SETLEASE, unix.F_NOTIFY, 1040}})
	return out
}

// hasSetID is the condition that a mode makes a program that others would run as this user.
// Linux itself creates folders without this bit.
func hasSetID(arg int) condition {
	return condition{arg: arg, mask: setID, in: []uint32{0}, not: true}
}

// truncateRules returns the calls that empty a file without having it open to write,
// where Landlock does not know of that (below ABI 3).
func truncateRules() []rule {
	out := []rule{{nr: unix.SYS_TRUNCATE, errno: unix.EPERM}}
	for _, o := range append([]opening{{unix.SYS_OPENAT, 2}}, oldOpen...) {
		out = append(out, rule{nr: o.nr, errno: unix.EPERM, where: []condition{
			{arg: o.arg, mask: unix.O_ACCMODE | unix.O_TRUNC, in: []uint32{unix.O_RDONLY | unix.O_TRUNC}},
		}})
	}
	return out
}
