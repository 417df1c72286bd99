package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// own is the folder that the server may write.
func own(name string) string { return filepath.Join(os.Getenv("STATE_DIRECTORY"), name) }

func tell(path string) error {
	data, err := os.ReadFile(path)
	if err == nil && !bytes.Contains(data, []byte("secret")) {
		err = fails("it is not there")
	}
	return err
}

func said(program string, args ...string) error {
	out, err := exec.Command(program, args...).CombinedOutput()
	if !bytes.Contains(out, []byte("secret")) && err == nil {
		err = fails("it says nothing")
	}
	return err
}

var reads = []attempt{
	{"read the key in ~/.ssh", func(w world) error { return tell(w.Secret) }},
	{"read a private file of the system", func(w world) error { return tell(w.Etc) }},
	{"read another server's data", func(w world) error { return tell(w.Other) }},
	{"read goated's history", func(w world) error { return tell(w.History) }},
	{"read by a link that came with it", func(w world) error { return tell(w.Link) }},
	{"read by a symbolic link", func(w world) error {
		_ = os.Symlink(w.Secret, own("link"))
		return tell(own("link"))
	}},
	{"read by a hard link", func(w world) error {
		if err := os.Link(w.Secret, own("hard")); err != nil {
			return err
		}
		return tell(own("hard"))
	}},
	{"read by ..", func(w world) error {
		rel, _ := filepath.Rel(w.Script, w.Secret)
		return tell(w.Script + "/" + rel)
	}},
	{"read below /proc/self/root", func(w world) error { return tell("/proc/self/root" + w.Secret) }},
	{"read below a folder's descriptor", func(w world) error {
		dir, err := unix.Open(w.Home, unix.O_PATH, 0)
		if err != nil {
			return err
		}
		fd, err := unix.Openat(dir, ".ssh/id_ed25519", unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		return unix.Close(fd)
	}},
	{"read after a change of the working directory", func(w world) error {
		if err := os.Chdir(filepath.Dir(w.Secret)); err != nil {
			return err
		}
		defer os.Chdir("/")
		return tell("id_ed25519")
	}},
	{"list the home folder", func(w world) error { _, err := os.ReadDir(w.Home); return err }},
	{"list the folder above its own", func(w world) error { _, err := os.ReadDir(filepath.Dir(w.Script)); return err }},
	{"read an inherited descriptor", func(w world) error {
		b := make([]byte, 64)
		n, err := unix.Pread(w.FD, b, 0)
		if err == nil && !bytes.Contains(b[:n], []byte("secret")) {
			err = fails("something else")
		}
		return err
	}},
	{"read with a child process", func(w world) error { return said("cat", w.Secret) }},
	{"read with a shell", func(w world) error { return said("sh", "-c", "cat < "+w.Secret) }},
	{"read with a program in memory", func(w world) error {
		data, err := os.ReadFile("/bin/cat")
		if err != nil {
			return err
		}
		fd, err := unix.MemfdCreate("cat", 0)
		if err != nil {
			return err
		}
		f := os.NewFile(uintptr(fd), "cat")
		defer f.Close()
		if _, err := f.Write(data); err != nil {
			return err
		}
		cmd := exec.Command("/proc/self/fd/3", w.Secret)
		cmd.ExtraFiles = []*os.File{f}
		out, err := cmd.Output()
		if err == nil && !bytes.Contains(out, []byte("secret")) {
			err = fails("it says nothing")
		}
		return err
	}},
	{"run a program that it cannot read", func(w world) error { return said(filepath.Join(w.Outside, "tool")) }},
	{"run a set-id program for what its group reads", func(world) error {
		me, err := user.LookupId(strconv.Itoa(os.Getuid()))
		if err != nil {
			return err
		}
		out, err := exec.Command("chage", "-l", me.Username).CombinedOutput()
		if err == nil && !bytes.Contains(out, []byte("assword")) {
			err = fails("%s", out)
		}
		return err
	}},
	{"watch the home folder", func(w world) error {
		fd, err := unix.InotifyInit1(0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		_, err = unix.InotifyAddWatch(fd, w.Home, unix.IN_ALL_EVENTS)
		return err
	}},
	{"watch the home folder by fanotify", func(w world) error {
		fd, err := unix.FanotifyInit(unix.FAN_CLASS_NOTIF|unix.FAN_REPORT_FID, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return unix.FanotifyMark(fd, unix.FAN_MARK_ADD, unix.FAN_MODIFY, unix.AT_FDCWD, w.Home)
	}},
	{"take a handle of the key", func(w world) error { _, _, err := unix.NameToHandleAt(unix.AT_FDCWD, w.Secret, 0); return err }},
	{"read the host's environment", func(w world) error { _, err := os.ReadFile(proc(w.Host, "environ")); return err }},
	{"read the host's environment by its threads", func(w world) error {
		return each(w, func(tid int) error { _, err := os.ReadFile(thread(w, tid, "environ")); return err })
	}},
	{"open the host's memory by its threads", func(w world) error {
		return each(w, func(tid int) error { return shut(os.Open(thread(w, tid, "mem"))) })
	}},
	{"read the host's files by the descriptors of its threads", func(w world) error {
		return each(w, func(tid int) error { _, err := os.ReadDir(thread(w, tid, "fd")); return err })
	}},
	{"find where the host works", func(w world) error { _, err := os.Readlink(proc(w.Host, "cwd")); return err }},
	{"find where a thread of the host works", func(w world) error {
		return each(w, func(tid int) error { _, err := os.Readlink(thread(w, tid, "cwd")); return err })
	}},
	{"read below the host's root", func(w world) error { return tell(proc(w.Host, "root") + w.Secret) }},
	{"read what another program shares in memory", func(w world) error { return tell(w.Shared) }},
	{"read the victim's command line", func(w world) error { _, err := os.ReadFile(proc(w.Victim, "cmdline")); return err }},
	{"read the host's files by their descriptors", func(w world) error {
		_, err := os.ReadDir(proc(w.Host, "fd"))
		return err
	}},
	{"open the host's memory", func(w world) error { return shut(os.OpenFile(proc(w.Host, "mem"), os.O_RDWR, 0)) }},
	{"read the host's map of memory", func(w world) error { _, err := os.ReadFile(proc(w.Host, "maps")); return err }},
	{"read the victim's environment", func(w world) error { _, err := os.ReadFile(proc(w.Victim, "environ")); return err }},
	{"list all processes", func(w world) error { return lists("/proc", strconv.Itoa(w.Victim)) }},
	{"read the table of connections", func(w world) error {
		data, err := os.ReadFile("/proc/net/tcp")
		if err == nil && !bytes.Contains(data, fmt.Appendf(nil, ":%04X ", w.TCP)) {
			err = fails("it is another table")
		}
		return err
	}},
	{"read the table of mounts", func(world) error { _, err := os.ReadFile("/proc/self/mountinfo"); return err }},
}

func lists(dir, name string) error {
	entries, err := os.ReadDir(dir)
	if err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == name }) {
		err = fails("it is not there")
	}
	return err
}

func shut(f *os.File, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}

// at returns the path of the file that the test created for an attempt.
func at(w world, name string) string { return filepath.Join(w.Outside, name) }

func put(path string, flags int) error {
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.WriteString(f, "was here\n")
	return err
}

var writes = []attempt{
	{"make a file outside", func(w world) error { return put(at(w, "new"), os.O_CREATE|os.O_WRONLY) }},
	{"add to ~/.bashrc", func(w world) error { return put(filepath.Join(w.Home, ".bashrc"), os.O_APPEND|os.O_WRONLY) }},
	{"overwrite a file outside", func(w world) error { return put(at(w, "over"), os.O_WRONLY) }},
	{"empty a file outside", func(w world) error { return os.Truncate(at(w, "empty"), 0) }},
	{"empty a file outside by opening it", func(w world) error { return shut(os.OpenFile(at(w, "empty2"), os.O_RDONLY|os.O_TRUNC, 0)) }},
	{"make a folder outside", func(w world) error { return os.Mkdir(at(w, "newdir"), 0o700) }},
	{"remove a file outside", func(w world) error { return unix.Unlink(at(w, "gone")) }},
	{"remove a folder outside", func(w world) error { return unix.Rmdir(at(w, "gonedir")) }},
	{"rename a file outside", func(w world) error { return os.Rename(at(w, "name"), at(w, "renamed")) }},
	{"take a file from outside", func(w world) error { return os.Rename(at(w, "take"), own("taken")) }},
	{"put a file outside by renaming it", func(w world) error {
		if err := put(own("mine"), os.O_CREATE|os.O_WRONLY); err != nil {
			return err
		}
		return os.Rename(own("mine"), at(w, "put"))
	}},
	{"exchange a file with one outside", func(w world) error {
		_ = put(own("swap"), os.O_CREATE|os.O_WRONLY)
		return unix.Renameat2(unix.AT_FDCWD, own("swap"), unix.AT_FDCWD, at(w, "swap"), unix.RENAME_EXCHANGE)
	}},
	{"link its own file outside", func(w world) error {
		_ = put(own("linked"), os.O_CREATE|os.O_WRONLY)
		return os.Link(own("linked"), at(w, "linked"))
	}},
	{"make a symbolic link outside", func(w world) error { return os.Symlink("/", at(w, "symlink")) }},
	{"make a pipe outside", func(w world) error { return unix.Mkfifo(at(w, "pipe"), 0o600) }},
	{"write by a symbolic link", func(w world) error {
		_ = os.Symlink(at(w, "bylink"), own("out"))
		return put(own("out"), os.O_WRONLY)
	}},
	{"change a mode outside", func(w world) error { return os.Chmod(at(w, "mode"), 0o777) }},
	{"change a mode outside by a descriptor of no access", func(w world) error {
		fd, err := unix.Open(at(w, "mode3"), unix.O_ACCMODE, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return unix.Fchmod(fd, 0o777)
	}},
	{"change a mode outside by the newest call", func(w world) error {
		return unix.Fchmodat(unix.AT_FDCWD, at(w, "mode4"), 0o777, unix.AT_SYMLINK_NOFOLLOW)
	}},
	{"change an owner outside", func(w world) error { return os.Lchown(at(w, "owner"), -1, os.Getgid()) }},
	{"change a time outside", func(w world) error { return os.Chtimes(at(w, "time"), time.Unix(0, 0), time.Unix(0, 0)) }},
	{"set an attribute outside", func(w world) error { return unix.Setxattr(at(w, "attribute"), "user.x", []byte("y"), 0) }},
	{"tamper with its own script", func(w world) error { return put(filepath.Join(w.Script, "new"), os.O_CREATE|os.O_WRONLY) }},
	{"tamper with its own program", func(w world) error { return put(filepath.Join(w.Bin, "new"), os.O_CREATE|os.O_WRONLY) }},
	{"leave a file in /tmp", func(world) error {
		f, err := os.CreateTemp("/tmp", "escape-*")
		if err != nil {
			return err
		}
		_ = f.Close()
		return os.Remove(f.Name())
	}},
	{"leave a file in /dev/shm", func(w world) error { return put(w.Left, os.O_CREATE|os.O_WRONLY) }}, // the test looks for it
	{"open a new terminal", func(world) error { return shut(os.OpenFile("/dev/ptmx", os.O_RDWR, 0)) }},
	{"open a file by io_uring", func(w world) error {
		var params [120]byte
		fd, err := call(unix.SYS_IO_URING_SETUP, 4, uintptr(unsafe.Pointer(&params[0])))
		if err == nil {
			err = unix.Close(int(fd))
		}
		return err
	}},
	{"open a file by openat2", func(w world) error {
		fd, err := unix.Openat2(unix.AT_FDCWD, at(w, "mode5"), &unix.OpenHow{Flags: unix.O_ACCMODE})
		if err == nil {
			err = unix.Fchmod(fd, 0o777)
		}
		return err
	}},
}
