package client

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/proc"
	"goated/internal/sandbox"
)

// A Cause is what most likely keeps a server from running.
type Cause string

// The causes that are told apart.
const (
	CauseUnknown     Cause = ""
	CauseInterpreter Cause = "interpreter missing"
	CausePath        Cause = "not on the PATH"
	CauseModule      Cause = "module not found"
	CauseSyntax      Cause = "syntax error"
	CauseNotMCP      Cause = "not an MCP server"
	CauseFlood       Cause = "flood"
	CausePort        Cause = "port taken"
	CausePermission  Cause = "permission denied"
	CauseNetwork     Cause = "network refused" // by its sandbox
	CauseSandbox     Cause = "no sandbox here"
	CauseFile        Cause = "file missing"
	CauseFormat      Cause = "not executable"
	CauseVariable    Cause = "variable missing"
	CauseMemory      Cause = "out of memory"
	CauseCrash       Cause = "crash"
	CauseError       Cause = "uncaught error"
	CauseProtocol    Cause = "protocol error"
	CauseSlow        Cause = "no answer in time"
)

// A Diagnosis is all that is known of why a server does not run, for a card that
// shows it.
type Diagnosis struct {
	Command []string // as it was run, or would have been; the program first
	Dir     string   // its working directory; empty means goated's
	Exit    string   // how it ended, like "exit status 3"; empty if it did not start or still ran
	Lasted  time.Duration
	Cause   Cause
	Detail  string     // what is missing or in the way: a module, a program, a port, a line
	Why     string     // the cause as a sentence
	Remedy  string     // what to do, as a sentence
	Mend    [][]string // commands that mend it, one after another; nil where none does
	MendDir string     // in which they are to be run
	Open    string     // a source to look into, the script's own; empty where that doesn't help
	Link    string     // a page from which to get what is missing
	Set     string     // the variable to set in the server's environment
	Found   string     // the folder in which the interpreter is; see [Host.LookIn]
}

// card completes an error with what is known of the server.
func (s *server) card(e *Error) {
	e.Stderr = s.stderr()
	d := &Diagnosis{Command: s.run.Argv(), Dir: s.run.Dir}
	if s.run.Program == "" { // it was not found
		d.Command = append([]string{s.config.Path}, s.config.Args...)
		if l, err := s.host.launch(s.config); err == nil && len(l.Programs) > 0 {
			d.Command, d.Dir = append([]string{l.Programs[0]}, l.Args...), l.Dir
		}
	}
	if s.conn != nil {
		select {
		case <-s.conn.p.Done():
			d.Exit = s.conn.p.Exit().String()
		default:
		}
		d.Lasted = time.Since(s.conn.p.Began)
	}
	given := circumstances{
		err: e, said: s.said(e), path: s.config.Path, args: s.config.Args, env: s.config.Env, run: s.run,
		login: s.host.o.LoginPath, exit: d.Exit, stray: s.strays(),
	}
	if s.view.Sandbox.Confined() { // nobody else writes it while there is a card to make
		given.needs = sandbox.Needs(s.view.Policy, s.refusals(), e.Stderr)
		given.memory = s.view.Policy.Limits.Memory
	}
	if name := absent(e); name != "" {
		given.search = s.host.path(s.life)
		given.found = s.host.elsewhere(s.life, name)
	}
	given.diagnose(d)
	e.Diagnosis = d
}

func (s *server) refusals() []sandbox.Permission {
	if s.conn == nil {
		return nil
	}
	return s.conn.p.Refused()
}

// saidLines is how much of stderr a cause is read off. A Go program writes what
// went wrong first, and then where each of its goroutines was.
const saidLines = 200

// said is what the server last wrote, and the error.
func (s *server) said(e *Error) string {
	if s.conn == nil {
		return e.said()
	}
	return strings.Join(append(s.conn.p.Stderr.Last(saidLines), cause(e.Err)), "\n")
}

func (s *server) strays() Stray {
	if s.conn == nil {
		return Stray{}
	}
	return s.conn.strays()
}

// circumstances are what a cause is read off.
type circumstances struct {
	err   *Error
	said  string   // see [server.said]
	path  string   // of the script
	args  []string // that the user gave it
	env   []string // that the user set for it
	run   proc.Command
	login bool // the login shell was asked for its PATH
	exit  string
	stray Stray
	needs []sandbox.Permission // that its sandbox did not give it

	memory uint64 // that its sandbox gives it; 0: all there is
	search string // where the program was looked for that is missing
	found  string // the folder in which it is
}

// diagnose finds the likely cause: what goated itself put the server away for,
// then what the system said, then what the interpreter said, then what can be
// told from how it ended.
func (c circumstances) diagnose(d *Diagnosis) {
	if Quarantined(c.err) || errors.Is(c.err, errDeaf) || errors.Is(c.err, errUnread) || errors.Is(c.err, errMute) {
		c.protocol(d) // whatever else it wrote, and ran with
		return
	}
	for _, look := range []func(*Diagnosis) bool{c.system, c.interpreter, c.environment, c.protocol, c.uncaught, c.ending} {
		if look(d) {
			return
		}
	}
}

// dir is the script's folder.
func (c circumstances) dir() string {
	dir, err := filepath.Abs(filepath.Dir(c.path))
	if err != nil {
		return filepath.Dir(c.path)
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// protocol is for servers that run and don't speak MCP.
func (c circumstances) protocol(d *Diagnosis) bool {
	switch {
	case Flooded(c.err):
		d.Cause, d.Open = CauseFlood, c.path
		d.Why = "It sends more than anyone can use, and nothing of it is an answer."
		d.Remedy = "Look in the script for a loop that writes without a pause."
	case errors.Is(c.err, errDeaf):
		d.Cause, d.Open = CauseNotMCP, c.path
		d.Why = "It closed its stdin, over which MCP is spoken."
		d.Remedy = "Check that the script leaves its stdin open."
	case errors.Is(c.err, errUnread):
		d.Cause, d.Open = CauseSlow, c.path
		d.Why = "It does not read what it is sent."
		d.Remedy = "Restart it. If it happens again, tell its authors: it stops reading while it works."
	case errors.Is(c.err, errMute):
		d.Cause, d.Open = CauseNotMCP, c.path
		d.Why = "It closed its stdout, over which MCP is spoken."
		d.Remedy = "Check that the script leaves its stdout open."
	case errors.Is(c.err, errNoise), c.stray.Lines > 0 && c.err.Kind == ErrConnectTimeout, strings.HasPrefix(c.stray.Last, "UTF-16"):
		d.Cause, d.Detail, d.Open = CauseNotMCP, c.stray.Last, c.path
		d.Why = "It writes something else than MCP to its stdout."
		d.Remedy = "Check that the script is an MCP server, and have it print to stderr instead."
	case c.err.Kind == ErrConnectTimeout:
		d.Cause, d.Open = CauseSlow, c.path
		d.Why = "It started, and did not answer in time."
		d.Remedy = "Try again. If it happens again, run the script in a terminal and see whether it waits for something."
	case c.err.Kind == ErrProtocol:
		d.Cause, d.Open = CauseProtocol, c.path
		d.Why = "It answers in a way that MCP does not allow: " + cause(c.err.Err) + "."
		d.Remedy = "That is a bug of the server. Update it, or send its authors the report."
		var wire *jsonrpc.Error
		if errors.As(c.err, &wire) {
			d.Detail = strconv.FormatInt(wire.Code, 10)
			d.Why = "It refused to begin: " + strings.TrimSuffix(wire.Message, ".") + "."
			d.Remedy = "Look at what it wrote, and whether it wants other arguments or a newer version. Its authors can tell more by the report."
		}
	case c.err.Kind == ErrStart && c.exit == "exit status 0":
		d.Cause, d.Open = CauseNotMCP, c.path
		d.Why = "It ran to its end without speaking MCP."
		d.Remedy = "Check that the script starts an MCP server over stdio, and does not only define one."
	default:
		return false
	}
	return true
}

// ending is what the way of its end says.
func (c circumstances) ending(d *Diagnosis) bool {
	signal, ok := strings.CutPrefix(c.exit, proc.BySignal)
	if m := ownCrash().FindStringSubmatch(c.said); m != nil && !ok {
		signal, ok = m[1], true
	}
	switch {
	case ok && signal == "killed":
		d.Cause, d.Why = CauseMemory, "The system or somebody killed it, most likely for want of memory."
		d.Remedy = "Close what you don't need, and start the server again."
	case ok:
		d.Cause, d.Detail = CauseCrash, signal
		d.Why = "It crashed: " + signal + "."
		d.Remedy = "That is a bug of the server or of a library it uses. Restart it; if it happens again, update them, or send its authors the report."
	case c.err.Kind == ErrStart || c.err.Kind == ErrExited:
		d.Why = "It ended without saying why."
		switch {
		case c.exit == "":
			d.Why = "It did not start."
		case len(c.err.Stderr) > 0:
			d.Why = "It ended by itself; its last words may say why."
		}
		d.Remedy = "Run the script in a terminal to see what it says."
	default:
		return false
	}
	return true
}
