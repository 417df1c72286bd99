package x11test

import (
	"net"
	"strings"
	"syscall"
	"testing"
)

// Hang stops the X server of a local display until the test ends or calls goOn.
func Hang(t testing.TB, display string) (goOn func()) {
	t.Helper()
	c, err := net.Dial("unix", "/tmp/.X11-unix/X"+strings.TrimPrefix(display, ":"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	raw, err := c.(*net.UnixConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var server *syscall.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		server, failed = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	}); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	return Stop(t, int(server.Pid))
}
