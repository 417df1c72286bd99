// Package command runs a command until it ends and keeps the beginning of its output.
//
// It does not judge commands. The caller must ask the user.
package command

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"
)

const (
	// maxOutput is how many bytes of stdout and of stderr are kept.
	maxOutput = 1 << 20
	// wait is how long a command's stdout and stderr may stay open after it has ended.
	wait = time.Second
)

// A Command defines the command to run.
type Command struct {
	Args   []string // program first; must not be empty
	Folder string   // working directory; empty: that of this process
	Env    []string // the complete environment
	Stdin  string
}

// A Result describes how a command ended.
type Result struct {
	Stdout, Stderr string // first MiB of each
	Code           int    // exit code; -1 if it did not start or was killed
	Error          string // empty if it succeeded
	Took           time.Duration
}

// Run runs a command until it ends, but at most for limit. It kills the command when ctx ends.
// Processes that the command leaves in the background continue as long as they write nothing to its
// stdout or stderr.
func Run(ctx context.Context, c Command, limit time.Duration) Result {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, c.Args[0], c.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Folder, c.Env, strings.NewReader(c.Stdin)
	var stdout, stderr bounded
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, wait
	group(cmd)
	begin := time.Now()
	err := cmd.Run()
	out := Result{Stdout: stdout.text(), Stderr: stderr.text(), Took: time.Since(begin)}
	if cmd.ProcessState != nil {
		out.Code = cmd.ProcessState.ExitCode()
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.Is(err, exec.ErrWaitDelay) && limited.Err() == nil: // for example, "program &" in a shell
		out.Stderr += "\n(The command ended. Something that it started still runs. It may end when it prints again: redirect its output, such as with >/dev/null 2>&1.)"
	case limited.Err() != nil:
		out.Error = "the command " + killReason(ctx, limit)
	case !errors.As(err, &exit):
		out.Error, out.Code = err.Error(), -1
	default:
		out.Error = err.Error()
	}
	return out
}

// killReason describes why a program was killed: either ctx ended, or the limit passed.
func killReason(ctx context.Context, limit time.Duration) string {
	if ctx.Err() != nil {
		return "was stopped before its end"
	}
	return "did not end within " + limit.String()
}

// Check returns what is wrong with the syntax of a shell script, or "" if it is correct.
func Check(ctx context.Context, script string, limit time.Duration) string {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, "/bin/sh", "-n")
	cmd.Stdin, cmd.WaitDelay = strings.NewReader(script), wait
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return ""
	case limited.Err() != nil:
		return "the check " + killReason(ctx, limit)
	}
	return strings.TrimSpace(string(out) + " " + err.Error())
}

// A bounded keeps the beginning of an output.
type bounded struct {
	b    bytes.Buffer
	lost int
}

func (o *bounded) Write(p []byte) (int, error) {
	n := min(len(p), maxOutput-o.b.Len())
	o.b.Write(p[:n])
	o.lost += len(p) - n
	return len(p), nil
}

func (o *bounded) text() string {
	s := strings.ToValidUTF8(o.b.String(), "\uFFFD")
	if o.lost > 0 {
		s += "\n… (more output is left out)"
	}
	return s
}
