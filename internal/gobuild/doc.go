// Package gobuild compiles servers that are Go source files. It owns the folders of a build below
// the server's own folder: the program, the build cache and the temporary files. The compiler runs
// in a sandbox, because a source can make it read any file and put the contents into the program,
// for example with an assembler's .incbin, a replaced module, or a linked folder. The package must
// not know MCP, hosts or windows.
package gobuild
