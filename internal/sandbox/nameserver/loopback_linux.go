package nameserver

import (
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// RaiseLoopback raises the loopback of the current thread's network, and gives it the addresses that stand for names.
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
	// An address that is not the loopback's makes resolvers look for addresses at all.
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
