package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// shown does something with a descriptor of a file that the server may only read.
func shown(w world, name string, do func(fd int) error) error {
	fd, err := unix.Open(filepath.Join(w.Shown, name), unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return do(fd)
}

func ioctl(fd int, request uintptr, with unsafe.Pointer) error {
	_, err := call(unix.SYS_IOCTL, uintptr(fd), request, uintptr(with))
	return err
}

// descriptors are attempts on readable files, or through calls that Landlock does not restrict.
var descriptors = []attempt{
	{"change the mode of what it only reads", func(w world) error {
		return shown(w, "mode", func(fd int) error { return unix.Fchmod(fd, 0o777) })
	}},
	{"change the mode of a folder that it only reads", func(w world) error {
		return shown(w, "", func(fd int) error { return unix.Fchmod(fd, 0o777) })
	}},
	{"change the time of what it only reads", func(w world) error {
		return shown(w, "time", func(fd int) error {
			_, err := call(unix.SYS_UTIMENSAT, uintptr(fd), 0, 0, 0)
			return err
		})
	}},
	{"change the owner of what it only reads", func(w world) error {
		return shown(w, "owner", func(fd int) error { return unix.Fchown(fd, -1, os.Getgid()) })
	}},
	{"set an attribute of what it only reads", func(w world) error {
		return shown(w, "attribute", func(fd int) error { return unix.Fsetxattr(fd, "user.x", []byte("y"), 0) })
	}},
	{"remove an attribute of what it only reads", func(w world) error {
		return shown(w, "attribute", func(fd int) error { return unix.Fremovexattr(fd, "user.mine") })
	}},
	{"mark what it only reads", func(w world) error {
		return shown(w, "flags", func(fd int) error {
			const noDump = 0x40
			flags, err := unix.IoctlGetInt(fd, unix.FS_IOC_GETFLAGS)
			if err != nil {
				return err
			}
			return unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, flags|noDump)
		})
	}},
	{"mark what it only reads, the other way", func(w world) error {
		return shown(w, "flags", func(fd int) error {
			const get, set = 0x801c581f, 0x401c5820 // FS_IOC_FSGETXATTR, FS_IOC_FSSETXATTR
			var marks [28]byte
			if err := ioctl(fd, get, unsafe.Pointer(&marks)); err != nil {
				return err
			}
			return ioctl(fd, set, unsafe.Pointer(&marks))
		})
	}},
	{"put a tree of btrfs into a folder that it only reads", func(w world) error {
		const create, snapshot = 0x5000940e, 0x50009401 // BTRFS_IOC_SUBVOL_CREATE, BTRFS_IOC_SNAP_CREATE
		args := func(fd int, name string) unsafe.Pointer {
			var b [4096]byte
			binary.NativeEndian.PutUint64(b[:], uint64(fd))
			copy(b[8:], name)
			return unsafe.Pointer(&b)
		}
		state, err := unix.Open(own(""), unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer unix.Close(state)
		if err := ioctl(state, create, args(0, "tree")); err != nil {
			return err
		}
		tree, err := unix.Open(own("tree"), unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer unix.Close(tree)
		return shown(w, "", func(fd int) error { return ioctl(fd, snapshot, args(tree, "planted")) })
	}},
	{"keep others waiting for what it only reads", func(w world) error {
		return shown(w, "lease", func(fd int) error {
			_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
			return err
		})
	}},
	{"be signalled when a folder changes", func(w world) error {
		return shown(w, "", func(fd int) error {
			_, err := unix.FcntlInt(uintptr(fd), unix.F_NOTIFY, 4) // DN_CREATE
			return err
		})
	}},
	{"change a time outside by an address that is half zero", func(w world) error {
		const half = 0x7_0000_0000
		page, err := call(unix.SYS_MMAP, half, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_FIXED_NOREPLACE, ^uintptr(0), 0)
		if err != nil {
			return err
		}
		path := append([]byte(at(w, "half")), 0)
		// The kernel writes the data, because Go does not treat a fixed address as memory.
		read, write, err := os.Pipe()
		if err != nil {
			return err
		}
		defer read.Close()
		defer write.Close()
		if _, err := write.Write(path); err != nil {
			return err
		}
		if _, err := call(unix.SYS_READ, read.Fd(), page, uintptr(len(path))); err != nil {
			return err
		}
		dir := unix.AT_FDCWD
		_, err = call(unix.SYS_UTIMENSAT, uintptr(dir), page, 0, 0)
		return err
	}},
	{"read an attribute outside", func(w world) error {
		_, err := unix.Getxattr(at(w, "attribute"), "user.mine", make([]byte, 64))
		return err
	}},
	{"list the attributes of a file outside", func(w world) error {
		_, err := unix.Llistxattr(at(w, "attribute"), make([]byte, 64))
		return err
	}},
	{"make a set-id program by its descriptor", func(world) error {
		fd, err := unix.Open(own("setid"), unix.O_CREAT|unix.O_RDWR, 0o700)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return unix.Fchmod(fd, 0o4755)
	}},
	{"make a set-id program by opening it", func(world) error {
		fd, err := unix.Open(own("setid2"), unix.O_CREAT|unix.O_RDWR, 0o4755)
		return gotSetID(own("setid2"), fd, err)
	}},
	{"make a set-id program without a name", func(world) error {
		fd, err := unix.Open(own(""), unix.O_TMPFILE|unix.O_RDWR, 0o4755)
		if err == nil {
			err = unix.Linkat(unix.AT_FDCWD, proc(os.Getpid(), "fd/"+strconv.Itoa(fd)), unix.AT_FDCWD, own("setid3"), unix.AT_SYMLINK_FOLLOW)
		}
		return gotSetID(own("setid3"), fd, err)
	}},
	{"make a set-id program as a node", func(world) error {
		return gotSetID(own("setid4"), -1, unix.Mknod(own("setid4"), unix.S_IFREG|0o4755, 0))
	}},
	{"send to the journal by one end of a pair", func(w world) error { return byPair(w, unix.SOCK_DGRAM) }},
	{"send to the journal by one end of a raw pair", func(w world) error { return byPair(w, unix.SOCK_RAW|unix.SOCK_CLOEXEC) }},
	{"ask a socket for the addresses", func(world) error {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		room := make([]byte, 4096)
		asked := struct {
			size int32
			_    int32
			at   unsafe.Pointer
		}{size: int32(len(room)), at: unsafe.Pointer(&room[0])}
		return ioctl(fd, unix.SIOCGIFCONF, unsafe.Pointer(&asked))
	}},
}

// gotSetID returns nil if a file was created as a set-ID program.
func gotSetID(path string, fd int, err error) error {
	if fd >= 0 {
		defer unix.Close(fd)
	}
	var st unix.Stat_t
	if err == nil {
		err = unix.Stat(path, &st)
	}
	if err == nil && st.Mode&(unix.S_ISUID|unix.S_ISGID) == 0 {
		err = fails("it is none")
	}
	return err
}

// byPair sends a message with a file to another program's socket. It uses a socket that was
// connected to its peer.
func byPair(w world, kind int) error {
	ends, err := unix.Socketpair(unix.AF_UNIX, kind, 0)
	if err != nil {
		return err
	}
	defer unix.Close(ends[0])
	defer unix.Close(ends[1])
	return unix.Sendmsg(ends[0], []byte("secret"), unix.UnixRights(ends[1]), &unix.SockaddrUnix{Name: filepath.Join(w.Sockets, "journal")}, 0)
}

// shares are attempts to use up resources of the machine, or resources that all programs of a user
// share.
var shares = []attempt{
	{"take a watcher of files", func(world) error {
		fd, err := unix.InotifyInit1(0)
		if err == nil {
			err = unix.Close(fd)
		}
		return err
	}},
	{"make a queue for the disk", func(world) error {
		var queue uintptr
		_, err := call(unix.SYS_IO_SETUP, 1, uintptr(unsafe.Pointer(&queue)))
		if err == nil {
			_, err = call(unix.SYS_IO_DESTROY, queue)
		}
		return err
	}},
	{"make more timers than are allowed", func(world) error {
		var made []int32
		defer func() {
			for _, timer := range made {
				_, _ = call(unix.SYS_TIMER_DELETE, uintptr(timer))
			}
		}()
		for range 1000 {
			var timer int32
			if _, err := call(unix.SYS_TIMER_CREATE, unix.CLOCK_MONOTONIC, 0, uintptr(unsafe.Pointer(&timer))); err != nil {
				return err
			}
			made = append(made, timer)
		}
		return nil
	}},
	{"have more files in flight than are allowed", func(world) error {
		file, err := unix.Open(os.DevNull, unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer unix.Close(file)
		many := make([]int, 240)
		for i := range many {
			many[i] = file
		}
		for range 20 {
			ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
			if err != nil {
				return err
			}
			defer unix.Close(ends[0])
			defer unix.Close(ends[1])
			if err := unix.Sendmsg(ends[0], []byte("x"), unix.UnixRights(many...), nil, 0); err != nil {
				return err
			}
		}
		return nil
	}},
}
