package backend

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"goated/servers/desktop/command"
	pb "goated/servers/desktop/macosusesdk"
)

const (
	// shellTimeout is how long a command may take if it does not say.
	shellTimeout = 30 * time.Second
	// mostShell is the longest that a command may ask for.
	mostShell = 10 * time.Minute
	// mostScript is the longest script, in bytes.
	mostScript = 1 << 20
	// wait is how long the output of a check may stay open after its end.
	wait = time.Second
)

// A scripts runs shell commands, if the user allows it.
type scripts struct{ c *core }

func needsMac(what string) error {
	return status.Errorf(codes.Unimplemented, "%s needs macOS; on Linux use elements, input, or shell commands if the user allows them", what)
}

// ExecuteAppleScript needs macOS.
func (p *scripts) ExecuteAppleScript(context.Context, *pb.ExecuteAppleScriptRequest) (*pb.ExecuteAppleScriptResponse, error) {
	return nil, needsMac("AppleScript")
}

// ExecuteJavaScript needs macOS.
func (p *scripts) ExecuteJavaScript(context.Context, *pb.ExecuteJavaScriptRequest) (*pb.ExecuteJavaScriptResponse, error) {
	return nil, needsMac("JavaScript for Automation")
}

// allowed returns an error unless the user allows shell commands.
func (p *scripts) allowed() error {
	if !p.c.o.Shell {
		return status.Error(codes.PermissionDenied, "shell commands are off; the user turns them on with the second switch of the desktop server")
	}
	return nil
}

// ExecuteShellCommand runs a command, with a shell if it has no arguments.
func (p *scripts) ExecuteShellCommand(ctx context.Context, r *pb.ExecuteShellCommandRequest) (*pb.ExecuteShellCommandResponse, error) {
	if err := p.allowed(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(r.GetCommand()) == "" {
		return nil, invalid("the command is empty")
	}
	if len(r.GetCommand()) > mostScript || len(r.GetStdin()) > mostScript {
		return nil, invalid("the command and its input have at most %d bytes each", mostScript)
	}
	limit := shellTimeout
	if r.Timeout != nil {
		limit = r.GetTimeout().AsDuration()
	}
	if limit <= 0 || limit > mostShell {
		return nil, invalid("a timeout of %v: it is between 0 and %v", limit, mostShell)
	}
	args := append([]string{r.GetCommand()}, r.GetArgs()...)
	if len(r.GetArgs()) == 0 {
		shell := r.GetShell()
		if shell == "" {
			shell = "/bin/sh"
		}
		if !filepath.IsAbs(shell) {
			return nil, invalid("the shell %q is no absolute path", shell)
		}
		args = []string{shell, "-c", r.GetCommand()}
	}
	var out *pb.ExecuteShellCommandResponse
	err := p.c.act(ctx, action{method: "ExecuteShellCommand", request: r, target: "the shell"}, func(ctx context.Context) (string, error) {
		out = p.run(ctx, args, limit, r)
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
		return "", nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// run runs a command to its end, with all that it starts.
func (p *scripts) run(ctx context.Context, args []string, limit time.Duration, r *pb.ExecuteShellCommandRequest) *pb.ExecuteShellCommandResponse {
	env := p.c.environ()
	for k, v := range r.GetEnvironment() {
		env = append(env, k+"="+v)
	}
	out := command.Run(ctx, command.Command{Args: args, Folder: r.GetWorkingDirectory(), Env: env, Stdin: r.GetStdin()}, limit)
	return &pb.ExecuteShellCommandResponse{Success: out.Error == "", Stdout: out.Stdout, Stderr: out.Stderr, ExitCode: int32(out.Code), Error: out.Error, ExecutionDuration: durationpb.New(out.Took)}
}

// ValidateScript checks a shell script without running it. AppleScript and JXA need macOS.
func (p *scripts) ValidateScript(ctx context.Context, r *pb.ValidateScriptRequest) (*pb.ValidateScriptResponse, error) {
	switch r.GetType() {
	case pb.ScriptType_SCRIPT_TYPE_APPLESCRIPT:
		return nil, needsMac("AppleScript")
	case pb.ScriptType_SCRIPT_TYPE_JXA:
		return nil, needsMac("JavaScript for Automation")
	case pb.ScriptType_SCRIPT_TYPE_SHELL:
	default:
		return nil, invalid("the type of the script is missing")
	}
	if len(r.GetScript()) > mostScript {
		return nil, invalid("the script has more than %d bytes", mostScript)
	}
	ctx, cancel := context.WithTimeout(ctx, shellTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-n")
	cmd.Stdin = strings.NewReader(r.GetScript())
	cmd.WaitDelay = wait
	out, err := cmd.CombinedOutput()
	v := &pb.ValidateScriptResponse{Valid: err == nil}
	if err != nil {
		v.Errors = []string{strings.TrimSpace(string(out) + " " + err.Error())}
	}
	return v, nil
}

// GetScriptingDictionaries lists nothing: applications on Linux have no script commands.
func (p *scripts) GetScriptingDictionaries(_ context.Context, r *pb.GetScriptingDictionariesRequest) (*pb.ScriptingDictionaries, error) {
	if r.GetName() != "scriptingDictionaries" {
		return nil, notFound("there is no %q; its name is scriptingDictionaries", r.GetName())
	}
	return &pb.ScriptingDictionaries{}, nil
}
