// Package trim returns memory to the system that only the start of a process needed. It
// owns nothing and must not know what the process does.
package trim

import "runtime/debug"

// Memory gives back the free parts of Go's heap, and the pages of the program's own file that
// are mapped: a start runs and reads most of a large program once. The pages that the process
// uses again come back from the system's cache of files. It takes some milliseconds; call it
// once, when the start is over.
func Memory() {
	debug.FreeOSMemory()
	unmapFile()
}
