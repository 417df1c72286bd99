// Package proc starts a server's process and ends it together with everything
// it started.
//
// It owns the process, its pipes, the tree of its descendants, the keeper that
// supervises them, and the last lines of its stderr. It imports only the sandbox
// and the filter of control sequences, and must not know MCP, scripts or the host.
package proc
