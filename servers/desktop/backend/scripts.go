package backend

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/command"
	"goated/servers/desktop/fault"
	pb "goated/servers/desktop/macosusesdk"
)

const (
	// shellTimeout is the timeout of commands that set none.
	shellTimeout = 30 * time.Second
	// maxShell is the maximum timeout of a command.
	maxShell = 10 * time.Minute
	// maxScript is the maximum length of a script in bytes.
	maxScript = 1 << 20
)

// An AsUser does what the backend's sandbox forbids. If a function is nil, the backend does it.
type AsUser struct {
	// Start starts an application by its name or desktop file. Its error may be a [guard.Refusal]
	// or [apps.ErrUnknown]. On a hidden desktop, Start is used only together with Workplace.
	Start func(ctx context.Context, name string) (*apps.Process, apps.Entry, error)
	// Shoot asks the user of a Wayland session for a picture, which the portal saves in a file.
	Shoot   func(ctx context.Context) (image.Image, error)
	Run     func(context.Context, command.Command, time.Duration) (command.Result, error) // adds variables to the user's
	Folders func(ctx context.Context, path string) error                                  // creates a folder
}

// A scriptService runs shell commands if the user allows them.
type scriptService struct{ c *core }

func needsMac(what string) error {
	return status.Errorf(codes.Unimplemented, "%s needs macOS; on Linux use elements, input, or shell commands if the user allows them", what)
}

// ExecuteAppleScript needs macOS.
func (p *scriptService) ExecuteAppleScript(context.Context, *pb.ExecuteAppleScriptRequest) (*pb.ExecuteAppleScriptResponse, error) {
	return nil, needsMac("AppleScript")
}

// ExecuteJavaScript needs macOS.
func (p *scriptService) ExecuteJavaScript(context.Context, *pb.ExecuteJavaScriptRequest) (*pb.ExecuteJavaScriptResponse, error) {
	return nil, needsMac("JavaScript for Automation")
}

// allowed returns an error unless the user allows shell commands.
func (p *scriptService) allowed() error {
	if !p.c.o.Shell {
		return status.Error(codes.PermissionDenied, "shell commands are off; the user turns them on with the second switch of the desktop server")
	}
	return nil
}

// ExecuteShellCommand runs a command. It uses a shell if the command has no arguments.
func (p *scriptService) ExecuteShellCommand(ctx context.Context, r *pb.ExecuteShellCommandRequest) (*pb.ExecuteShellCommandResponse, error) {
	if err := p.allowed(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(r.GetCommand()) == "" {
		return nil, fault.Invalid("the command is empty")
	}
	if len(r.GetCommand()) > maxScript || len(r.GetStdin()) > maxScript {
		return nil, fault.Invalid("the command and its input have at most %d bytes each", maxScript)
	}
	limit := shellTimeout
	if r.Timeout != nil {
		limit = r.GetTimeout().AsDuration()
	}
	if limit <= 0 || limit > maxShell {
		return nil, fault.Invalid("a timeout of %v: it is between 0 and %v", limit, maxShell)
	}
	args := append([]string{r.GetCommand()}, r.GetArgs()...)
	if len(r.GetArgs()) == 0 {
		shell := r.GetShell()
		if shell == "" {
			shell = "/bin/sh"
		}
		if !filepath.IsAbs(shell) {
			return nil, fault.Invalid("the shell %q is not an absolute path", shell)
		}
		args = []string{shell, "-c", r.GetCommand()}
	}
	var out *pb.ExecuteShellCommandResponse
	err := p.c.act(ctx, action{method: "ExecuteShellCommand", request: r, target: "the shell", before: r.GetWorkingDirectory()}, func(ctx context.Context) (string, error) {
		var err error
		if out, err = p.run(ctx, args, limit, r); err == nil && out.GetExitCode() < 0 {
			err = context.Cause(ctx) // a halt killed the command
		}
		return fmt.Sprintf("it ended with the code %d", out.GetExitCode()), err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// run runs a command and all processes that it starts until they end.
func (p *scriptService) run(ctx context.Context, args []string, limit time.Duration, r *pb.ExecuteShellCommandRequest) (*pb.ExecuteShellCommandResponse, error) {
	c := command.Command{Args: args, Folder: r.GetWorkingDirectory(), Stdin: r.GetStdin()}
	for k, v := range r.GetEnvironment() {
		c.Env = append(c.Env, k+"="+v)
	}
	var out command.Result
	var err error
	if p.c.o.Run != nil {
		out, err = p.c.o.Run(ctx, c, limit)
	} else {
		c.Env = append(p.c.environ(), c.Env...)
		out = command.Run(ctx, c, limit)
	}
	return &pb.ExecuteShellCommandResponse{Success: out.Error == "", Stdout: out.Stdout, Stderr: out.Stderr, ExitCode: int32(out.Code), Error: out.Error, ExecutionDuration: durationpb.New(out.Took)}, err
}

// ValidateScript checks a shell script without running it. AppleScript and JXA need macOS.
func (p *scriptService) ValidateScript(ctx context.Context, r *pb.ValidateScriptRequest) (*pb.ValidateScriptResponse, error) {
	switch r.GetType() {
	case pb.ScriptType_SCRIPT_TYPE_APPLESCRIPT:
		return nil, needsMac("AppleScript")
	case pb.ScriptType_SCRIPT_TYPE_JXA:
		return nil, needsMac("JavaScript for Automation")
	case pb.ScriptType_SCRIPT_TYPE_SHELL:
	default:
		return nil, fault.Invalid("the type of the script is missing")
	}
	if len(r.GetScript()) > maxScript {
		return nil, fault.Invalid("the script has more than %d bytes", maxScript)
	}
	v := &pb.ValidateScriptResponse{Valid: true}
	if problem := command.Check(ctx, r.GetScript(), shellTimeout); problem != "" {
		v.Valid, v.Errors = false, []string{problem}
	}
	return v, nil
}

// GetScriptingDictionaries returns nothing, because applications on Linux have no scripting commands.
func (p *scriptService) GetScriptingDictionaries(_ context.Context, r *pb.GetScriptingDictionariesRequest) (*pb.ScriptingDictionaries, error) {
	if r.GetName() != "scriptingDictionaries" {
		return nil, fault.NotFound("there is no %q; its name is scriptingDictionaries", r.GetName())
	}
	return &pb.ScriptingDictionaries{}, nil
}
