package trim

import (
	"debug/elf"
	"os"
	"strings"
	"syscall"
)

// unmapFile unmaps the pages of the program's file. If that fails, the pages stay.
func unmapFile() {
	if traced() {
		return // a debugger has set its breakpoints there
	}
	f, err := elf.Open("/proc/self/exe") // the running file, even if an update has replaced it
	if err != nil {
		return
	}
	defer f.Close()
	for _, m := range readOnly(f) {
		// The system reads the pages from the file again when the process uses them.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.from, m.size, syscall.MADV_DONTNEED)
	}
}

// A mapping is a range of addresses.
type mapping struct{ from, size uintptr }

// readOnly returns the mappings that nothing ever writes to, not even the dynamic loader. Pages of
// other mappings contain data of the process. For a position-independent program it returns none,
// because it does not know the address.
func readOnly(f *elf.File) (out []mapping) {
	if f.Type != elf.ET_EXEC {
		return nil
	}
	page := uint64(os.Getpagesize())
	for _, p := range f.Progs {
		if from := (p.Vaddr + page - 1) / page * page; p.Type == elf.PT_LOAD && p.Flags&elf.PF_W == 0 && p.Vaddr+p.Filesz > from+page {
			out = append(out, mapping{uintptr(from), uintptr((p.Vaddr + p.Filesz - from) / page * page)})
		}
	}
	return out
}

// traced reports whether a debugger is attached to this process.
func traced() bool {
	status, err := os.ReadFile("/proc/self/status")
	_, tracer, found := strings.Cut(string(status), "\nTracerPid:\t")
	return err == nil && found && !strings.HasPrefix(tracer, "0\n")
}
