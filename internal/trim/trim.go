// Package trim gives the memory that only the start of a process needed back to the system. It owns
// nothing and must not know what the process does.
package trim

import "runtime/debug"

// Memory returns memory to the system: the free parts of Go's heap, and the mapped pages of the
// program's own file. A start runs and reads most of a large program once. If the process needs
// these pages again, they come from the system's file cache. Memory takes some milliseconds. Call
// it once, after the start.
func Memory() {
	debug.FreeOSMemory()
	unmapFile()
}
