//go:build amd64 || arm64

package sandbox

import (
	"slices"

	"golang.org/x/sys/unix"
)

// File systems and drivers define ioctls freely. Some create or change files with read access to
// another file, and Landlock restricts none of them. The filter allows the ones that programs use.
// The others fail as if the file did not support them.

// Requests that x/sys does not name.
const (
	tiocgsid, fionread, fionbio    = 0x5429, 0x541b, 0x5421
	fionclex, fioclex, fioasync    = 0x5450, 0x5451, 0x5452
	siocatmark, siocoutq           = 0x8905, 0x5411
	fsGetAttributes, rndGetEntropy = 0x801c581f, 0x80045200 // FS_IOC_FSGETXATTR, RNDGETENTCNT
)

// knownIoctls are allowed to every process.
var knownIoctls = []uint32{
	// properties of terminals
	unix.TCGETS, unix.TCGETS2, unix.TIOCGWINSZ, unix.TIOCGPGRP, tiocgsid,
	// properties of descriptors
	fionread, fionbio, fioasync, fioclex, fionclex, siocoutq, siocatmark,
	// sharing the blocks of a readable file with a writable one
	unix.FICLONE, unix.FICLONERANGE,
	// properties of readable files and of the random generator
	unix.FS_IOC_GETFLAGS, fsGetAttributes, rndGetEntropy,
}

// interfaceIoctls are allowed with access to the whole network, where netlink shows the same
// addresses.
var interfaceIoctls = []uint32{
	unix.SIOCGIFCONF, unix.SIOCGIFNAME, unix.SIOCGIFINDEX, unix.SIOCGIFFLAGS, unix.SIOCGIFADDR, unix.SIOCGIFDSTADDR, unix.SIOCGIFBRDADDR,
	unix.SIOCGIFNETMASK, unix.SIOCGIFMTU, unix.SIOCGIFMETRIC, unix.SIOCGIFHWADDR, unix.SIOCGIFTXQLEN, unix.SIOCETHTOOL,
}

// soundIoctls are the types of ALSA's ioctls: control, PCM, MIDI and sequencer. No file
// system uses them.
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
