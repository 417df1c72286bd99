//go:build unix

package grammar

import (
	"context"

	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// withMemory makes instances take their memory from the system, which only allocates pages that
// they touch. The memory grows without a copy, and is freed with the instance.
func withMemory(ctx context.Context) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(_, most uint64) experimental.LinearMemory {
		data, err := unix.Mmap(-1, 0, int(most), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return &heapMemory{}
		}
		return &mapped{data}
	}))
}

type mapped struct{ data []byte }

func (m *mapped) Reallocate(size uint64) []byte {
	if size > uint64(len(m.data)) {
		return nil
	}
	return m.data[:size]
}

func (m *mapped) Free() {
	_ = unix.Munmap(m.data) // the mapping belongs to m
	m.data = nil
}

// heapMemory is used when the system provides no address space.
type heapMemory struct{ data []byte }

func (m *heapMemory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.data)) {
		m.data = append(m.data, make([]byte, size-uint64(len(m.data)))...)
	}
	return m.data[:size]
}

func (m *heapMemory) Free() { m.data = nil }
