package main

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// swappedAddress changes the target of an address while the notifier checks it.
func swappedAddress(w world) error {
	sockaddr := func(port int) uint64 {
		b := []byte{0, 0, byte(port >> 8), byte(port), 127, 0, 0, 1}
		binary.NativeEndian.PutUint16(b, unix.AF_INET)
		return binary.NativeEndian.Uint64(b)
	}
	good, bad := sockaddr(w.Allowed), sockaddr(w.TCP)
	where := [2]uint64{good}
	over := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					atomic.StoreUint64(&where[0], bad)
					atomic.StoreUint64(&where[0], good)
				}
			}
		})
	}
	defer wg.Wait()
	defer close(over)
	allowed := 0
	for range 1500 {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		_, _, errno := unix.Syscall(unix.SYS_CONNECT, uintptr(fd), uintptr(unsafe.Pointer(&where)), 16)
		peer, err := unix.Getpeername(fd)
		_ = unix.Close(fd)
		if errno != 0 || err != nil {
			continue
		}
		if peer.(*unix.SockaddrInet4).Port == w.TCP {
			return nil
		}
		allowed++
	}
	return fails("it was connected to what is allowed alone, %d times of 1500", allowed)
}
