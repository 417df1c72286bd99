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

// metadataCalls change file modes and times.
var metadataCalls = append([]uintptr{unix.SYS_FCHMODAT, unix.SYS_FCHMOD, unix.SYS_UTIMENSAT}, oldMode...)

// attributeCalls fail like on a file system without extended attributes. Landlock does not restrict
// them. With a path they read attributes of unreadable files, such as the origin of a download.
// With a descriptor they change files that are open for reading. Reading the attributes of an open
// file remains possible.
var attributeCalls = []uintptr{
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
	unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR,
}

const setID = unix.S_ISUID | unix.S_ISGID

// fileRules returns the rules for file calls that Landlock does not restrict. done is the errno of
// the calls that a notifier can do. With 0, the filter notifies it.
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
	// This includes calls with a descriptor, for which read access is enough. utimensat takes a
	// descriptor with a null path, and a filter sees only half of a pointer.
	for _, nr := range metadataCalls {
		refuse(done, nr)
	}
	for _, o := range append([]opening{{unix.SYS_OPENAT, 2}}, oldOpen...) {
		// Opening a file for neither reading nor writing needs no Landlock right.
		refuse(unix.EPERM, o.nr, condition{arg: o.arg, mask: unix.O_ACCMODE | unix.O_PATH, in: []uint32{unix.O_ACCMODE}})
		// The mode matters only if the call creates a file.
		makes := uint32(unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY)
		refuse(unix.EPERM, o.nr, condition{arg: o.arg, mask: makes, in: []uint32{0}, not: true}, hasSetID(o.arg+1))
	}
	for _, m := range append([]opening{{unix.SYS_MKNODAT, 2}}, oldMake...) {
		refuse(unix.EPERM, m.nr, hasSetID(m.arg))
	}
	// A lease on a file makes other programs wait before they write it. A notification about a
	// folder sends signals when other programs use it. 1040 sets a lease on a folder (F_SETDELEG).
	refuse(unix.EPERM, unix.SYS_FCNTL, condition{arg: 1, in: []uint32{unix.F_SETLEASE, unix.F_NOTIFY, 1040}})
	return out
}

// hasSetID is the condition that a mode has a set-ID bit. Other users would run such a program as
// this user. Linux itself creates folders without this bit.
func hasSetID(arg int) condition {
	return condition{arg: arg, mask: setID, in: []uint32{0}, not: true}
}

// truncateRules returns rules for the calls that truncate a file without opening it for writing,
// because Landlock below ABI 3 does not restrict those.
func truncateRules() []rule {
	out := []rule{{nr: unix.SYS_TRUNCATE, errno: unix.EPERM}}
	for _, o := range append([]opening{{unix.SYS_OPENAT, 2}}, oldOpen...) {
		out = append(out, rule{nr: o.nr, errno: unix.EPERM, where: []condition{
			{arg: o.arg, mask: unix.O_ACCMODE | unix.O_TRUNC, in: []uint32{unix.O_RDONLY | unix.O_TRUNC}},
		}})
	}
	return out
}
