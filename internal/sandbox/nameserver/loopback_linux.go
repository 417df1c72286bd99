package nameserver

import (
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// RaiseLoopback raises the loopback interface of the current thread's network, and adds the
// placeholder addresses to it.
func RaiseLoopback() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("raising the loopback: %w", err)
	}
	defer unix.Close(s)
	up, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	up.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, up); err != nil {
		return fmt.Errorf("raising the loopback: %w", err)
	}
	// Resolvers look for addresses only if there is an address outside the loopback range.
	alias, err := unix.NewIfreq("lo:1")
	if err == nil {
		err = alias.SetInet4Addr(standIns.Addr().AsSlice())
	}
	if err == nil {
		err = unix.IoctlIfreq(s, unix.SIOCSIFADDR, alias)
	}
	if err == nil {
		if err = alias.SetInet4Addr(net.CIDRMask(standIns.Bits(), 32)); err == nil {
			err = unix.IoctlIfreq(s, unix.SIOCSIFNETMASK, alias)
		}
	}
	if err != nil {
		return fmt.Errorf("giving the loopback an address: %w", err)
	}
	return nil
}
