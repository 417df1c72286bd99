package diagnose

import (
	"path/filepath"
	"strings"

	"goated/internal/paths"
	"goated/internal/sandbox"
)

// A Failure is how a server failed, a row of seed 003's error table.
type Failure int

// The failures that a diagnosis tells apart.
const (
	OtherFailure   Failure = iota
	ScriptNotFound         // before anything was started
	StartFailed
	ConnectTimeout
	ProtocolFailed
	Exited // unexpectedly, after it was connected
)

// A Fault is what goated itself noticed, if anything.
type Fault int

// The faults. All except Unsandboxed and Cancelled are the cause, whatever else
// the server wrote.
const (
	NoFault     Fault = iota
	Unsandboxed       // the system has no sandbox, and the user did not allow the server to run without one
	Cancelled         // the start was cancelled
	Flooding
	Noise // output that is not MCP
	ClosedStdin
	ClosedStdout
	UnreadInput
)

// Facts describe a server that does not run. The caller collects them.
type Facts struct {
	Failure Failure
	Fault   Fault
	Err     error    // beneath the failure; nil if there is none
	Refusal *Refusal // the server's answer to the handshake, if that was an error
	Remote  *Remote  // why a server with a URL was not reached; nil for others

	Command
	State string // the folder that the server alone writes; empty if it has none

	Output string // the last lines of stderr, and the text of Err
	Stderr bool   // it wrote to stderr
	Stray  string // the last line on stdout that was not a message
	Strays int    // the number of such lines

	Exit

	Needs  []sandbox.Permission // that its sandbox refused
	Memory uint64               // limit of its sandbox in bytes; 0: none

	Machine Machine
}

// A Command says how a server was started.
type Command struct {
	Script  string // the path as the user gave it
	Folder  string // the script's folder, absolute
	Args    []string
	Env     []string // that the user set for it, as in os.Environ
	Program string   // that was run, an absolute path; empty if it was not found
	Store   string   // where its package manager installs; empty without one

	Venv     bool // by the .venv beside its script, if there is one
	Confined bool // in a sandbox
}

// An Exit says how far a server came and how its process ended. The zero value: it runs, or
// never ran, and did not answer.
type Exit struct {
	Initialized bool   // it answered initialize, and not yet tools/list
	Ended       bool   // its process ended
	Code        int    // its exit status; -1 if a signal ended it
	Signal      string // that ended it; empty if none did

	OutOfMemory bool // it reached the limit of memory of all its processes

	Unanswered []sandbox.Permission // hosts that it may reach and that did not answer it
}

// A Refusal is a JSON-RPC error.
type Refusal struct {
	Code    int64
	Message string
}

// unreadable reports whether goated made the error in place of an answer that it could not
// read: the server refused nothing.
func (r *Refusal) unreadable() bool {
	return r.Code == -32700 && strings.HasPrefix(r.Message, "the server's ")
}

// fault returns what goated could not read, for a sentence about an answer that breaks MCP.
func (r *Refusal) fault() string {
	return trimmed(strings.TrimPrefix(r.Message, "the server's answer breaks MCP: "))
}

// A Remote is why a server with a URL was not reached.
type Remote struct {
	Cause   Cause
	Host    string
	Text    string // what the server said; may be empty
	Address string // another URL that may be meant; may be empty
}

// A Machine answers questions about the computer. Functions that are nil find
// nothing.
type Machine struct {
	Windows bool
	Root    bool // goated runs as the administrator
	PID     int  // goated's own

	LoginShell bool // goated knows the login shell's PATH

	Exists    func(path string) bool
	Read      func(path string) []byte          // the beginning of a file; nil if there is none
	Real      func(path string) (string, error) // the path without links
	Installed func(program string) bool         // on the search path
	Elsewhere func(program string) string       // the folder of a program that is not on the search path
	Listener  func(port string) Process         // the process that listens on a TCP port

	Hidden func(path string) bool // the server's sandbox does not let it read a file

	FailedScript func(store string) (name, script string) // the package whose install script failed, and that script
}

func (f Facts) exists(path string) bool { return f.Machine.Exists != nil && f.Machine.Exists(path) }

func (f Facts) read(path string) []byte {
	if f.Machine.Read == nil {
		return nil
	}
	return f.Machine.Read(path)
}

// real returns path without links; ok is false if it does not exist.
func (f Facts) real(path string) (real string, ok bool) {
	if f.Machine.Real == nil {
		return path, true
	}
	real, err := f.Machine.Real(path)
	return real, err == nil
}

func (f Facts) is(ext string) bool { return filepath.Ext(f.Script) == ext }

// within reports whether a path without links is below dir.
func (f Facts) within(path, dir string) bool {
	dir, ok := f.real(dir)
	return ok && paths.Within(path, dir)
}

// trimmed returns text without a full stop at its end.
func trimmed(text string) string { return strings.TrimSuffix(text, ".") }
