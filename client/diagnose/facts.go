package diagnose

import (
	"path/filepath"
	"strings"

	"goated/internal/paths"
	"goated/internal/sandbox"
)

// A Failure is how a server failed. Each is a row of the error table in seed 003.
type Failure int

// The failures that a diagnosis distinguishes.
const (
	OtherFailure   Failure = iota
	ScriptNotFound         // before anything was started
	StartFailed
	ConnectTimeout
	ProtocolFailed
	Exited // unexpectedly, after it was connected
)

// A Fault is a problem that goated itself noticed, if any.
type Fault int

// The faults. Each except Unsandboxed and Cancelled is the cause, whatever else the server wrote.
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
	Err     error    // the error behind the failure; nil if there is none
	Refusal *Refusal // the server's response to the handshake, if it was an error
	Remote  *Remote  // why goated did not reach a server with a URL; nil for others

	Command
	State string // the folder that only the server writes; empty if it has none

	Output string // the last lines of stderr, and the text of Err
	Stderr bool   // it wrote to stderr
	Stray  string // the last line on stdout that was not a message
	Strays int    // the number of such lines

	Exit

	Needs  []sandbox.Permission // the permissions that its sandbox refused
	Memory uint64               // its sandbox's memory limit in bytes; 0 means none

	Machine Machine
}

// A Command describes how a server was started.
type Command struct {
	Script  string // the path as the user entered it
	Folder  string // the script's folder, absolute
	Args    []string
	Env     []string // variables that the user set for it, in the form of os.Environ
	Program string   // the absolute path of the program; empty if it was not found
	Store   string   // where its package manager installs packages; empty if it has none

	Venv     bool // it runs in the .venv beside its script
	Confined bool // it runs in a sandbox
}

// An Exit describes how far a server got and how its process ended. The zero value describes a
// server that is running without a response, or that never ran.
type Exit struct {
	Initialized bool   // it answered initialize, but not yet tools/list
	Ended       bool   // its process exited
	Code        int    // its exit status; -1 if a signal ended it
	Signal      string // the signal that ended it; empty if none did

	OutOfMemory bool // its processes together reached their memory limit

	Unanswered []sandbox.Permission // hosts that it may reach but that did not respond
}

// A Refusal is a JSON-RPC error.
type Refusal struct {
	Code    int64
	Message string
}

// unreadable reports whether goated made up the error because it could not read the server's
// response. In that case the server refused nothing.
func (r *Refusal) unreadable() bool {
	return r.Code == -32700 && strings.HasPrefix(r.Message, "the server's ")
}

// fault returns what goated could not read. A sentence about responses that violate MCP contains it.
func (r *Refusal) fault() string {
	return trimmed(strings.TrimPrefix(r.Message, "the server's answer breaks MCP: "))
}

// A Remote is the reason why goated did not reach a server with a URL.
type Remote struct {
	Cause   Cause
	Host    string
	Text    string // what the server said; may be empty
	Address string // another URL that the user may have meant; may be empty
}

// A Machine answers questions about the computer. A nil function finds nothing.
type Machine struct {
	Windows bool
	Root    bool // goated runs as root
	PID     int  // goated's own process ID

	LoginShell bool // goated knows the login shell's PATH

	Exists    func(path string) bool
	Read      func(path string) []byte          // the beginning of a file; nil if there is none
	Real      func(path string) (string, error) // resolves the symbolic links of a path
	Installed func(program string) bool         // reports whether a program is on the search path
	Elsewhere func(program string) string       // the folder of a program that is not on the search path
	Listener  func(port string) Process         // the process that listens on a TCP port

	Hidden func(path string) bool // reports whether the server's sandbox hides a file

	FailedScript func(store string) (name, script string) // the package whose install script failed, and that script
}

func (f Facts) exists(path string) bool { return f.Machine.Exists != nil && f.Machine.Exists(path) }

func (f Facts) read(path string) []byte {
	if f.Machine.Read == nil {
		return nil
	}
	return f.Machine.Read(path)
}

// real returns path with its symbolic links resolved. ok is false if the path does not exist.
func (f Facts) real(path string) (real string, ok bool) {
	if f.Machine.Real == nil {
		return path, true
	}
	real, err := f.Machine.Real(path)
	return real, err == nil
}

func (f Facts) is(ext string) bool { return filepath.Ext(f.Script) == ext }

// within reports whether a path without symbolic links is below dir.
func (f Facts) within(path, dir string) bool {
	dir, ok := f.real(dir)
	return ok && paths.Within(path, dir)
}

// trimmed returns text without the full stop at its end.
func trimmed(text string) string { return strings.TrimSuffix(text, ".") }
