//go:build amd64 || arm64

package sandbox

import (
	"fmt"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// A rule makes a system call fail with an errno, either always or if all conditions hold.
type rule struct {
	nr    uintptr
	errno unix.Errno // 0 leaves the call to the notifier
	where []condition
}

// A condition tests the low half of an argument. For all arguments tested here, the kernel ignores
// the high half.
type condition struct {
	arg  int
	mask uint32   // 0: all bits
	in   []uint32 // holds if the masked argument is one of these
	not  bool     // or if it is none of them
}

// Offsets in seccomp_data.
const (
	offsetNr   = 0
	offsetArch = 4
	offsetArgs = 16
	x32        = 0x40000000 // marks calls of amd64's second call table
)

// newestCall is the last system call that these rules cover. Later ones fail like on an older kernel.
const newestCall = unix.SYS_MSEAL

// assemble compiles rules into the program of a filter.
func assemble(calls []rule) ([]unix.SockFilter, error) {
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: offsetArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1},
		bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}, // other architectures number their calls differently
		bpf.LoadAbsolute{Off: offsetNr, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: newestCall, SkipFalse: 1}, // x32 calls too
		bpf.RetConstant{Val: actionOf(unix.ENOSYS)},
	}
	for _, c := range calls {
		program = append(program, c.program()...)
	}
	program = append(program, bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW})
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, fmt.Errorf("assembling the filter of system calls: %w", err)
	}
	out := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		out[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	return out, nil
}

func actionOf(errno unix.Errno) uint32 {
	if errno == 0 {
		return unix.SECCOMP_RET_USER_NOTIF
	}
	return unix.SECCOMP_RET_ERRNO | uint32(errno)
}

// program expects the call's number in the accumulator and leaves it there.
func (c rule) program() []bpf.Instruction {
	var body []bpf.Instruction
	for _, w := range c.where {
		body = append(body, w.program()...)
	}
	body = append(body, bpf.RetConstant{Val: actionOf(c.errno)})
	if len(c.where) > 0 {
		body = append(body, bpf.LoadAbsolute{Off: offsetNr, Size: 4}) // for the next rule
		// A condition that does not hold jumps to this reload.
		for i, in := range body {
			if _, ok := in.(miss); ok {
				body[i] = bpf.Jump{Skip: uint32(len(body) - 2 - i)}
			}
		}
	}
	head := bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(c.nr), SkipFalse: uint8(len(body))}
	return append([]bpf.Instruction{head}, body...)
}

// miss marks the jump of a condition that does not hold.
type miss struct{ bpf.Instruction }

func (w condition) program() []bpf.Instruction {
	out := []bpf.Instruction{bpf.LoadAbsolute{Off: offsetArgs + 8*uint32(w.arg), Size: 4}}
	if w.mask != 0 {
		out = append(out, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: w.mask})
	}
	for i, v := range w.in {
		left := uint8(len(w.in) - 1 - i) // comparisons that follow
		if w.not {
			out = append(out, bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipTrue: left}) // to the miss
		} else {
			out = append(out, bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipTrue: left + 1}) // past the miss
		}
	}
	if w.not {
		// If no value is equal, the last comparison is false and skips the miss.
		last := out[len(out)-1].(bpf.JumpIf)
		last.SkipTrue, last.SkipFalse = 0, 1
		out[len(out)-1] = last
	}
	return append(out, miss{})
}
