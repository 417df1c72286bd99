package client

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/diagnose"
	"goated/client/internal/portowner"
	"goated/client/internal/sources"
	"goated/internal/installs"
	"goated/internal/proc"
	"goated/internal/sandbox"
	"goated/internal/venv"
)

// A FailureReport is everything known about why a server does not run.
type FailureReport struct {
	diagnose.Diagnosis
	Command []string // as it was run, or would have been; the program first
	Dir     string   // the working directory; empty: goated's own
	Exit    string   // how it ended, such as "exit status 3"; empty if it did not start or still ran
	Lasted  time.Duration

	mask func(text string) string // nil: it knows no secrets
}

// Masked masks the server's secrets in a text that others will read, and what looks like a key or a password.
func (r FailureReport) Masked(text string) string {
	if r.mask == nil {
		return Redact(nil)(text)
	}
	return r.mask(text)
}

// diagnose completes an error with the last lines of stderr and a diagnosis.
func (s *server) diagnose(e *Error) {
	if s.link != nil { // otherwise e has the output of the compiler, if any
		e.Stderr = slices.Compact(s.link.lines()) // each request to a URL may have the same answer
	}
	d := &FailureReport{Command: s.run.Argv(), Dir: s.run.Dir, mask: func(text string) string { return Redact(secretsOf(s.host.o, s.config))(text) }}
	e.Report = d
	if missing := (*MissingValues)(nil); errors.As(e.Err, &missing) {
		d.Command, d.Diagnosis = append([]string{s.config.redactedSubject()}, s.config.Args...), missing.diagnosis(s.config)
		return
	}
	if s.config.URL != "" {
		d.Command, d.Diagnosis = []string{s.config.redactedSubject()}, diagnose.Find(remoteFacts(s, e))
		return
	}
	if s.run.Program == "" { // it was not found
		d.Command = append([]string{s.config.subject()}, s.config.Args...)
		if l, err := s.config.launch(); err == nil && len(l.Programs) > 0 {
			d.Command, d.Dir = append([]string{l.Programs[0]}, l.Args...), l.Dir
		}
	}
	f := s.facts(e)
	if f.Ended {
		d.Exit = s.link.process.Exit().String()
	}
	if s.link != nil {
		d.Lasted = time.Since(s.link.process.Began)
	}
	d.Diagnosis = diagnose.Find(f)
	if p := d.Args.Permission; p.Path != "" && !slices.Contains(f.Needs, p) { // the sandbox observed no refusal
		s.host.list.update(func() { s.failed.blocked = append(s.failed.blocked, p) })
	}
	if err := installs.Repair(f.Store, repairs[d.Cause]); err != nil {
		s.host.o.logError(s.life, "diagnosing", err)
		d.Cause = cmp.Or(unrepaired[d.Cause], d.Cause)
	}
}

// repairs are the faults of packages that goated repairs.
var repairs = map[diagnose.Cause]installs.Fault{diagnose.InstallIncomplete: installs.Incomplete, diagnose.OlderInstalled: installs.Newer, diagnose.ScriptSkipped: installs.Script}

// unrepaired are the causes if goated cannot repair the package. Another start would fail in the same way.
var unrepaired = map[diagnose.Cause]diagnose.Cause{diagnose.OlderInstalled: diagnose.OlderLibrary, diagnose.ScriptSkipped: diagnose.InstallScript}

// repaired restarts a server if its diagnosis changed how its package is installed. Otherwise it returns err.
func repaired(ctx context.Context, s *server, err error) error {
	if e := (*Error)(nil); errors.As(err, &e) && e.Report != nil && repairs[e.Report.Cause] > installs.Incomplete {
		return s.host.Restart(ctx, s.view.ID)
	}
	return err
}

// failures and faults are the errors that a diagnosis tells apart.
var (
	failures = map[error]diagnose.Failure{
		ErrNotFound: diagnose.ScriptNotFound, ErrStart: diagnose.StartFailed, ErrConnectTimeout: diagnose.ConnectTimeout, ErrProtocol: diagnose.ProtocolFailed, ErrExited: diagnose.Exited,
	}
	faults = map[error]diagnose.Fault{
		errCannotAsk: diagnose.Unsandboxed, errUnconfined: diagnose.Unsandboxed, errStartCancelled: diagnose.Cancelled,
		errFlood: diagnose.Flooding, errNoise: diagnose.Noise, errStdinClosed: diagnose.ClosedStdin, errStdoutClosed: diagnose.ClosedStdout, errUnread: diagnose.UnreadInput,
	}
)

// faultOf returns the fault that goated itself noticed.
func faultOf(e *Error) diagnose.Fault {
	for err, fault := range faults {
		if errors.Is(e, err) {
			return fault
		}
	}
	return diagnose.NoFault
}

// commonFacts returns the facts that servers with a process and servers with a URL share.
func commonFacts(s *server, e *Error) diagnose.Facts {
	f := diagnose.Facts{
		Failure: failures[e.Kind], Fault: faultOf(e), Err: e.Err, Output: e.output(), Machine: s.machine(),
		Exit: diagnose.Exit{Initialized: s.session != nil && s.view.Status == Connecting},
	}
	var wire *jsonrpc.Error
	if errors.As(e, &wire) {
		f.Refusal = &diagnose.Refusal{Code: wire.Code, Message: wire.Message}
	}
	return f
}

// facts returns the facts about a server with a process. The link is nil if the process never
// started.
func (s *server) facts(e *Error) diagnose.Facts {
	f := commonFacts(s, e)
	f.Command, f.Stderr = s.config.diagnosed(s.run.Program), diagnose.Reason(e.Stderr) != ""
	if s.run.Policy != nil {
		f.State, f.Store = s.run.Policy.State, s.run.Policy.Packages.Store
	}
	if s.link != nil {
		f.Output = strings.Join(append(s.link.log.Last(diagnosedLines), cause(e.Err)), "\n")
		f.Unanswered = s.link.process.Unanswered()
		noise := s.link.Noise()
		f.Stray, f.Strays = noise.Last, noise.Lines
		select {
		case <-s.link.process.Done():
			exit := s.link.process.Exit()
			f.Ended, f.Code, f.Signal, f.OutOfMemory = true, exit.Code, exit.Signal, exit.OutOfMemory
		default:
		}
	}
	if s.view.Sandbox.Confined() { // only the goroutine that diagnoses writes it now
		f.Needs = sandbox.Needs(s.view.Policy, failedEvidence(s, e.Stderr))
		f.Memory, f.Confined = s.view.Policy.Limits.Memory, true
	}
	return f
}

// diagnosed returns how a diagnosis sees the command of a server: a command that runs a
// script is about that script.
func (c Config) diagnosed(program string) diagnose.Command {
	d := diagnose.Command{Script: c.Path, Args: c.Args, Env: c.Env, Program: program, Venv: venv.Script(c.Path, c.Command, c.Args, c.Dir) != ""}
	if c.Command != "" {
		if script, err := c.script(""); err == nil {
			d.Script = script
		}
		if source, ok := sources.OfGoRun(c.Command, c.Args); ok && d.Script == "" {
			if d.Script = filepath.Join(c.Dir, source); filepath.Ext(source) != ".go" {
				d.Script = filepath.Join(d.Script, "main.go")
			}
		}
	}
	if d.Folder = folderOf(d.Script); d.Script == "" && c.Dir != "" {
		d.Folder = c.Dir
	}
	return d
}

// diagnosedLines is how many of the last lines of stderr a diagnosis uses. A Go
// program writes its error first and then the stack of each goroutine.
const diagnosedLines = 200

// machine answers a diagnosis's questions about this computer. Its functions may
// wait for the login shell until the server's life ends.
func (s *server) machine() diagnose.Machine {
	return diagnose.Machine{
		Windows: runtime.GOOS == "windows", Root: os.Geteuid() == 0, PID: os.Getpid(), LoginShell: s.host.o.Process.LoginPath,
		Exists: func(path string) bool { _, err := os.Stat(path); return err == nil },
		Hidden: func(path string) bool { return s.view.Sandbox.Confined() && !s.view.Policy.MayRead(path) },
		Read:   sources.ReadBeginning,
		Real:   filepath.EvalSymlinks,
		Installed: func(program string) bool {
			_, err := proc.LookPath(program, s.host.programs.All(s.life))
			return err == nil
		},
		Elsewhere: func(program string) string { return s.host.programs.FindOffPath(s.life, program) },
		Listener:  portowner.Of, FailedScript: installs.FailedScript,
	}
}

// folderOf returns the absolute path of a file's folder.
func folderOf(path string) string {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return filepath.Dir(path)
	}
	return dir
}
