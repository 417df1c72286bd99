package keeper

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"

	"golang.org/x/sys/unix"
)

// seals prevent everybody from changing the program, including this process.
const seals = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE

// load copies a program into a file in memory and returns the file's path for this process. It
// returns "" if the system does not run such files.
func load(image io.Reader) string {
	fd, err := unix.MemfdCreate("goated-keeper", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3, all such files can be executed
		fd, err = unix.MemfdCreate("goated-keeper", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	}
	if err != nil {
		return ""
	}
	path := "/proc/self/fd/" + strconv.Itoa(fd)
	if write(fd, image) != nil || !runs(fd) {
		_ = unix.Close(fd)
		return ""
	}
	return path
}

// A descriptor is an open file without a finalizer, so that the file stays open.
type descriptor int

func (fd descriptor) Write(b []byte) (n int, err error) {
	for n < len(b) {
		written, err := unix.Write(int(fd), b[n:])
		if err != nil && !errors.Is(err, unix.EINTR) {
			return n, err
		}
		n += max(written, 0)
	}
	return n, nil
}

func write(fd int, image io.Reader) error {
	if _, err := io.Copy(descriptor(fd), image); err != nil {
		return err
	}
	_, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals)
	return err
}

// runs reports whether the system executes the file. A system policy may forbid that. Without a
// connection, a keeper exits at once.
func runs(fd int) bool {
	dup, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return false
	}
	f := os.NewFile(uintptr(dup), "keeper")
	defer f.Close()
	cmd := exec.Command("/proc/self/fd/3")
	cmd.ExtraFiles = []*os.File{f}
	cmd.Env = []string{}
	err = cmd.Run()
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.Exited()
}
