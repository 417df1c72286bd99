//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A world holds the targets of a hostile server; see testdata/escape.
type world struct {
	Base, Secret, Etc, Other, History, Link, Home, Outside, Script, Bin, Sockets string

	TCP, TCP6, UDP int
	Allowed        int // a port of this computer that the server may connect to
	Name, X11      string
	Host, Victim   int
	Group          int
	FD, Shm, Msg   int
	Forks          int
	Tasks          string
	Shared, Left   string
	Shown          string

	udp net.PacketConn // that listens on UDP
}

// writeTasks writes the IDs of this process's threads except the main one. One of them started the
// hostile process and is in its domain.
func writeTasks(file string) {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		panic(err)
	}
	var tids []string
	for _, e := range entries {
		if e.Name() != fmt.Sprint(os.Getpid()) {
			tids = append(tids, e.Name())
		}
	}
	part := file + ".part"
	if err := os.WriteFile(part, []byte(strings.Join(tids, "\n")), 0o600); err != nil {
		panic(err)
	}
	if err := os.Rename(part, file); err != nil {
		panic(err)
	}
}

// newWorld creates all targets.
func newWorld(t *testing.T) world {
	t.Helper()
	base := t.TempDir()
	w := world{Base: base, Host: os.Getpid(), Group: syscall.Getpgrp(), Forks: 4 * maxProcesses}
	path := func(names ...string) string { return filepath.Join(append([]string{base}, names...)...) }
	put := func(path string, mode os.FileMode) string {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho secret\n"), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	w.Home, w.Outside, w.Script, w.Sockets = path("home"), path("outside"), path("srv"), path("run")
	w.Bin, w.Tasks = path("srv", "goated", "servers", "mine", "bin"), path("shared", "tasks")
	for _, dir := range []string{w.Home, w.Outside, w.Script, w.Sockets, w.Bin, path("shared"), path("outside", "gonedir")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.Secret, w.Etc = put(path("home", ".ssh", "id_ed25519"), 0o600), put(path("etc", "secret.conf"), 0o600)
	w.History = put(path("srv", "goated", "history.db"), 0o600)
	w.Other = put(path("srv", "goated", "servers", "other", "files", "token"), 0o600)
	w.Link = path("srv", ".nvmrc") // comes with the script
	if err := os.Symlink(w.Secret, w.Link); err != nil {
		t.Fatal(err)
	}
	put(path("home", ".bashrc"), 0o600)
	put(path("outside", "tool"), 0o700)
	for _, name := range strings.Fields("over empty empty2 gone name take swap bylink mode mode3 mode4 mode5 mode6 race owner time half attribute") {
		put(path("outside", name), 0o600)
	}
	w.Shown = path("shared", "shown")
	for _, name := range strings.Fields("mode time owner attribute flags lease race") {
		put(filepath.Join(w.Shown, name), 0o600)
	}
	for _, dir := range []string{w.Shown, w.Outside} {
		_ = unix.Setxattr(filepath.Join(dir, "attribute"), "user.mine", []byte("secret"), 0) // some file systems have no extended attributes
	}

	accept := func(l net.Listener, err error) net.Listener {
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() { // ends with the listener
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = io.ReadFull(c, make([]byte, 6))
				_ = c.Close()
			}
		}()
		return l
	}
	w.Allowed = accept(net.Listen("tcp4", "127.0.0.1:0")).Addr().(*net.TCPAddr).Port
	w.TCP = accept(net.Listen("tcp4", "127.0.0.1:0")).Addr().(*net.TCPAddr).Port
	if l, err := net.Listen("tcp6", "[::1]:0"); err == nil { // some machines have none
		w.TCP6 = accept(l, nil).Addr().(*net.TCPAddr).Port
	}
	udp, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = udp.Close() })
	w.udp = udp
	w.UDP = udp.LocalAddr().(*net.UDPAddr).Port
	for _, name := range []string{"bus", "docker.sock", "agent"} {
		accept(net.Listen("unix", filepath.Join(w.Sockets, name)))
	}
	journal, err := net.ListenPacket("unixgram", filepath.Join(w.Sockets, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = journal.Close() })
	w.Name, w.X11 = fmt.Sprintf("goated-escape-%d-%d", os.Getpid(), w.TCP), fmt.Sprintf("/tmp/.X11-unix/X%d", w.TCP)
	accept(net.Listen("unix", "@"+w.Name))
	accept(net.Listen("unix", "@"+w.X11))

	victim := exec.Command("sleep", "600")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = victim.Process.Kill(); _ = victim.Wait() })
	w.Victim = victim.Process.Pid

	if _, err := os.Stat(shm); err == nil {
		name := fmt.Sprintf("goated-escape-%d-%d", os.Getpid(), w.TCP)
		w.Shared, w.Left = put(filepath.Join(shm, name), 0o600), filepath.Join(shm, name+"-left")
		t.Cleanup(func() { _ = os.Remove(w.Shared) })
	}

	// Open in this process without close-on-exec, as a careless parent would leave it.
	if w.FD, err = unix.Open(w.Secret, unix.O_RDONLY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(w.FD) })

	w.Shm, w.Msg = 0x60A7000+w.TCP, 0x60A7000+w.TCP
	shm, err := unix.SysvShmGet(w.Shm, 4096, unix.IPC_CREAT|0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = unix.SysvShmCtl(shm, unix.IPC_RMID, nil) })
	msg, _, errno := unix.Syscall(unix.SYS_MSGGET, uintptr(w.Msg), unix.IPC_CREAT|0o600, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
	t.Cleanup(func() { _, _, _ = unix.Syscall(unix.SYS_MSGCTL, msg, unix.IPC_RMID, 0) })
	return w
}
