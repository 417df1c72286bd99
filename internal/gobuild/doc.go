// Package gobuild compiles a server that is a Go source. It owns the folders of
// the build below the server's own folder: the program, the build cache and the
// temporary files. The compiler runs in a sandbox, because a source can make it
// read any file (an assembler's .incbin, a replaced module, a linked folder) and
// put that into the program. The package must not know MCP, hosts or windows.
package gobuild
