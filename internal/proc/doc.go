// Package proc starts the process of a server, and later kills it with all its descendants.
//
// It owns the process, its pipes, the process tree, the keeper that supervises the tree, and the
// last lines of stderr. It imports only the sandbox and the filter of control sequences. It must
// not know MCP, scripts or the host.
package proc
