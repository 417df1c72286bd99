//go:build amd64 || arm64

package sandbox

import (
	"slices"

	"golang.org/x/sys/unix"
)

// Behind an ioctl is whatever a file system or a driver has thought of: some make
// and change files, for which to read another is enough, and Landlock sees none of
// it. Those that programs use are listed, and all else is answered as by what does
// not know it.

// Those that x/sys does not name.
const (
	tiocgsid, fionread, fionbio    = 0x5429, 0x541b, 0x5421
	fionclex, fioclex, fioasync    = 0x5450, 0x5451, 0x5452
	siocatmark, siocoutq           = 0x8905, 0x5411
	fsGetAttributes, rndGetEntropy = 0x801c581f, 0x80045200 // FS_IOC_FSGETXATTR, RNDGETENTCNT
)

// knownIoctls are the ioctls of every process.
var knownIoctls = []uint32{
	// what a terminal is
	unix.TCGETS, unix.TCGETS2, unix.TIOCGWINSZ, unix.TIOCGPGRP, tiocgsid,
	// a descriptor's own
	fionread, fionbio, fioasync, fioclex, fionclex, siocoutq, siocatmark,
	// to share the blocks of a file that it reads with one that it writes
	unix.FICLONE, unix.FICLONERANGE,
	// what is known of a file that it reads, and of the system's dice
	unix.FS_IOC_GETFLAGS, fsGetAttributes, rndGetEntropy,
}

// interfaceIoctls are the ioctls of who has the whole network, and learns of its
// addresses by netlink anyway.
var interfaceIoctls = []uint32{
	unix.SIOCGIFCONF, unix.SIOCGIFNAME, unix.SIOCGIFINDEX, unix.SIOCGIFFLAGS, unix.SIOCGIFADDR, unix.SIOCGIFDSTADDR, unix.SIOCGIFBRDADDR,
	unix.SIOCGIFNETMASK, unix.SIOCGIFMTU, unix.SIOCGIFMETRIC, unix.SIOCGIFHWADDR, unix.SIOCGIFTXQLEN, unix.SIOCETHTOOL,
}

// soundIoctls are the kinds of ioctls that ALSA's devices have: of a control, of
// playing, of MIDI and of its sequencer. No file system has one of them.
var soundIoctls = []uint32{'U' << 8, 'A' << 8, 'W' << 8, 'S' << 8}

func ioctlRule(p Policy) rule {
	list := knownIoctls
	if p.Network == AnyNetwork {
		list = slices.Concat(knownIoctls, interfaceIoctls)
	}
	refused := rule{nr: unix.SYS_IOCTL, errno: unix.ENOTTY, where: []condition{{arg: 1, in: list, not: true}}}
	if len(p.soundPaths()) > 0 {
		const kind = 0xff00
		refused.where = append(refused.where, condition{arg: 1, mask: kind, in: soundIoctls, not: true})
	}
	return refused
}
