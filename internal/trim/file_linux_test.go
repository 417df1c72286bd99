package trim

import (
	"debug/elf"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Only whole pages that nothing writes to may be unmapped.
func TestReadOnly(t *testing.T) {
	prog := func(kind elf.ProgType, flags elf.ProgFlag, at, size uint64) *elf.Prog {
		return &elf.Prog{ProgHeader: elf.ProgHeader{Type: kind, Flags: flags, Vaddr: at, Filesz: size, Memsz: size}}
	}
	page := uint64(os.Getpagesize())
	f := &elf.File{FileHeader: elf.FileHeader{Type: elf.ET_EXEC}, Progs: []*elf.Prog{
		prog(elf.PT_PHDR, elf.PF_R, 100*page+64, 3*page),
		prog(elf.PT_LOAD, elf.PF_R|elf.PF_X, 100*page, 10*page+5),
		prog(elf.PT_LOAD, elf.PF_R, 200*page+7, 10*page),
		prog(elf.PT_LOAD, elf.PF_R|elf.PF_W, 300*page, 10*page),
		prog(elf.PT_LOAD, elf.PF_R, 400*page, 5),
	}}
	got := readOnly(f)
	want := []mapping{{uintptr(100 * page), uintptr(10 * page)}, {uintptr(201 * page), uintptr(9 * page)}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%x, want %x", got, want)
	}
	f.Type = elf.ET_DYN
	if got := readOnly(f); got != nil {
		t.Errorf("of a program that is anywhere: %x", got)
	}
}

// The program continues to run, and fewer pages of its file are mapped.
func TestMemory(t *testing.T) {
	if traced() {
		t.Skip("a debugger runs this test")
	}
	before := mapped(t)
	Memory()
	if after := mapped(t); after > before*3/4 {
		t.Errorf("%d kB of the file are mapped, %d kB before", after, before)
	}
}

// mapped returns how much of this program's file is mapped, in kB.
func mapped(t *testing.T) int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); fields[0] == "RssFile:" {
			n, err := strconv.Atoi(fields[1])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Skip("this system does not tell")
	return 0
}
