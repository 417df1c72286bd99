package diagnose

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// system diagnoses the error that the operating system returned when goated started the server.
func system(f Facts, d *Diagnosis) bool {
	var missing *exec.Error
	switch {
	case errors.As(f.Err, &missing) && errors.Is(missing, exec.ErrNotFound):
		f.programMissing(missing.Name, d)
	case f.Failure == ScriptNotFound:
		d.Cause, d.Args.Subject = ScriptMissing, f.Script
	case f.Fault == Unsandboxed:
		d.Cause = SandboxMissing
	case f.Fault == Cancelled:
		d.Cause = StartCancelled
	case f.Failure != StartFailed:
		return false
	case errors.Is(f.Err, syscall.ENOEXEC):
		d.Cause, d.Args.Subject = WrongFormat, f.Program
	case errors.Is(f.Err, fs.ErrPermission) && f.aboutProgram():
		d.Cause, d.Args.Subject = ProgramForbidden, cmp.Or(f.Program, f.named())
		d.Args.Commands = f.chmod("u+rx", d.Args.Subject)
	case f.windowsLines(d):
	case errors.Is(f.Err, fs.ErrNotExist) && f.named() != f.Program && f.named() != "" && !f.exists(f.named()): // such as the working directory
		d.Cause, d.Args.Subject = ProgramGone, f.named()
	case errors.Is(f.Err, fs.ErrNotExist) && f.exists(f.Program):
		d.Cause, d.Args.Subject, d.Args.Open = InterpreterMissing, f.Program, f.Program
	case errors.Is(f.Err, fs.ErrNotExist):
		d.Cause, d.Args.Subject = ProgramGone, f.Program
	default:
		return false
	}
	return true
}

// windowsLines diagnoses a program or a shell script with CRLF line endings that did not start or
// failed. The system and env look for an interpreter whose name ends with a carriage return. A
// shell treats the carriage return as part of each command.
func (f Facts) windowsLines(d *Diagnosis) bool {
	if f.Machine.Windows || !errors.Is(f.Err, fs.ErrNotExist) && (!f.Ended || f.Code <= 0) {
		return false
	}
	subject := f.Program
	if !strings.HasSuffix(f.shebang(), "\r") {
		if subject = f.Script; !f.is(".sh") {
			return false
		}
		if line, _, _ := strings.Cut(string(f.read(f.Script)), "\n"); !strings.HasSuffix(line, "\r") {
			return false
		}
	}
	d.Cause, d.Args.Subject = WindowsLines, subject
	d.Args.Commands = [][]string{{"sed", "-i", `s/\r$//`, subject}}
	if f.Machine.Installed != nil && f.Machine.Installed("perl") { // the sed of macOS does not support \r
		d.Args.Commands = [][]string{{"perl", "-pi", "-e", `s/\r$//`, subject}}
	}
	return true
}

// named returns the path in a system error, or "" if the error has none.
func (f Facts) named() string {
	var path *os.PathError
	var look *exec.Error
	switch {
	case errors.As(f.Err, &look):
		return look.Name
	case errors.As(f.Err, &path):
		return path.Path
	}
	return ""
}

// aboutProgram reports whether the system's error concerns the program.
func (f Facts) aboutProgram() bool {
	var look *exec.Error
	return errors.As(f.Err, &look) || f.named() != "" && f.named() == f.Program
}

// chmod returns the command that gives the user a permission. It returns nil on Windows.
func (f Facts) chmod(mode, path string) [][]string {
	if f.Machine.Windows {
		return nil
	}
	return [][]string{{"chmod", mode, path}}
}

// programMissing diagnoses a program that is not on the search path.
func (f Facts) programMissing(program string, d *Diagnosis) {
	*d = Diagnosis{Cause: ProgramMissing, Args: Args{Subject: program}}
	if f.Machine.Elsewhere != nil {
		if d.Args.Found = f.Machine.Elsewhere(program); d.Args.Found != "" {
			d.Cause = ProgramElsewhere
			return
		}
	}
	p := productOf(program)
	d.Args.Product, d.Args.Page, d.Args.FromTerminal = p.name, p.page, !f.Machine.LoginShell
	if argv := p.install(f.Machine); argv != nil {
		d.Args.Commands = [][]string{argv}
	}
}
