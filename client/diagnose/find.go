package diagnose

import (
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"goated/client/internal/answers"
)

// Find returns the most likely cause. It first considers what goated itself noticed, then the
// errors of the system and of the interpreter, and last how the server ended.
func Find(f Facts) Diagnosis {
	var d Diagnosis
	if r := f.Remote; r != nil {
		return Diagnosis{Cause: r.Cause, Args: Args{Subject: r.Host, Text: trimmed(r.Text), Address: r.Address}}
	}
	if at := lastReport(f.Output); f.Failure == Exited && at > 0 {
		f.Output = f.Output[at:] // a connected server went on after what it wrote before
	}
	for _, look := range []func(Facts, *Diagnosis) bool{noticed, exceeded, system, uninstallable, interpreter, environment, protocol, uncaught, ending} {
		if look(f, &d) && (!d.Cause.Names() || strings.TrimSpace(d.Args.Subject) != "") {
			break
		}
		d = Diagnosis{} // no cause, or a cause without its subject
	}
	if hidden(f, &d) {
		return d
	}
	if (d.Cause == NodePackage || d.Cause == BuildMissing || d.Cause == FileMissing) && f.Store != "" && strings.Contains(f.Output, filepath.Join(f.Store, "npm", "_npx")) {
		d = Diagnosis{Cause: InstallIncomplete, Args: Args{Subject: d.Args.Subject}}
		if f.broken(d.Args.Subject) {
			d = Diagnosis{Cause: ImportBroken, Args: Args{Subject: inPackages(d.Args.Subject)}}
		}
	}
	if d.Cause == PythonModule {
		f.place(&d)
	}
	if d.Cause == OlderLibrary && filepath.Base(f.Program) == "uvx" && f.Store != "" && f.Failure == StartFailed && f.Machine.Exists != nil && !f.exists(filepath.Join(f.Store, "constraints.txt")) {
		d.Cause = OlderInstalled
	}
	if causes[d.Cause].opens {
		d.Args.Open = f.Script
	}
	return d
}

// A rule derives a cause from a server's output. The first group of its pattern is the subject.
type rule struct {
	pattern func() *regexp.Regexp
	ext     string // the rule applies only to scripts with this extension; empty means all
	cause   Cause
	// fill gets the match of the pattern. It adds arguments, and may choose another cause. If it
	// returns false, the rule does not apply. A nil fill adds nothing.
	fill func(f Facts, match []string, d *Diagnosis) bool
}

// apply uses the first rule that applies. It reports whether one did.
func apply(rules []rule, f Facts, d *Diagnosis) bool {
	for _, r := range rules {
		if r.ext != "" && !f.is(r.ext) {
			continue
		}
		m := r.pattern().FindStringSubmatch(f.Output)
		if m == nil {
			continue
		}
		found := Diagnosis{Cause: r.cause}
		if len(m) > 1 {
			found.Args.Subject = m[1]
		}
		if r.fill == nil || r.fill(f, m, &found) {
			*d = found
			return true
		}
	}
	return false
}

// pattern returns a function that compiles a regular expression at its first call. Each keeper
// process runs this program too, and never needs one.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// faults maps the faults that goated noticed while the server ran to their causes.
var faults = map[Fault]Cause{
	Flooding: Flood, Noise: NotMCP, ClosedStdin: StdinClosed, ClosedStdout: StdoutClosed, UnreadInput: InputUnread,
}

func noticed(f Facts, d *Diagnosis) bool {
	cause, ok := faults[f.Fault]
	d.Cause = cause
	if cause == NotMCP {
		d.Args.Subject = f.Stray
	}
	return ok
}

// protocol diagnoses servers that run but do not speak MCP.
func protocol(f Facts, d *Diagnosis) bool {
	var versions *answers.VersionError
	switch {
	case f.Failure == ConnectTimeout && f.Err != nil: // it responded, but not as MCP requires
		d.Cause, d.Args.Text = ProtocolError, trimmed(f.Err.Error())
	case f.Strays > 0 && f.Failure == ConnectTimeout, strings.HasPrefix(f.Stray, "UTF-16"):
		d.Cause, d.Args.Subject = NotMCP, f.Stray
	case f.Failure == ConnectTimeout && f.Initialized:
		d.Cause = NoTools
	case f.Failure == ConnectTimeout:
		d.Cause = NoAnswer
	case f.Failure == ProtocolFailed && errors.As(f.Err, &versions):
		d.Cause, d.Args.Subject, d.Args.Text = ProtocolVersion, versions.Theirs, versions.Ours
	case f.Failure == ProtocolFailed && f.Refusal != nil && f.Refusal.unreadable():
		d.Cause, d.Args.Text = ProtocolError, f.Refusal.fault()
	case f.Failure == ProtocolFailed && f.Refusal != nil:
		d.Cause, d.Args.Subject = Refused, strconv.FormatInt(f.Refusal.Code, 10)
		d.Args.Text = trimmed(f.Refusal.Message)
		if f.Initialized {
			d.Cause = ToolsRefused
		}
	case f.Failure == ProtocolFailed:
		d.Cause = ProtocolError
		if f.Err != nil {
			d.Args.Text = f.Err.Error()
		}
	case f.Failure == StartFailed && f.Ended && f.Signal == "" && f.Initialized && !f.Stderr:
		d.Cause, d.Args.Subject = EndedInitialized, strconv.Itoa(f.Code)
	case f.Failure == StartFailed && f.Ended && f.Signal == "" && f.Code == 0:
		d.Cause = EndedEarly
	default:
		return false
	}
	return true
}

// ownCrash matches the message that an interpreter prints when it crashes.
var ownCrash = pattern(`(?m)^(?:SIG[A-Z]+|fatal error|Fatal Python error): ([^\n]+)`)

// ending derives the cause from the way in which the process ended.
func ending(f Facts, d *Diagnosis) bool {
	signal := f.Signal
	if signal == "" {
		if m := ownCrash().FindStringSubmatch(f.Output); m != nil {
			signal = m[1]
		}
	}
	switch {
	case signal == "killed":
		d.Cause = Killed
	case signal != "":
		d.Cause, d.Args.Subject = Crashed, signal
	case f.Failure != StartFailed && f.Failure != Exited:
		return false
	case !f.Ended:
		d.Cause = NotStarted
	case f.Stderr:
		d.Cause = EndedWithOutput
	default:
		d.Cause = EndedSilently
	}
	return true
}
