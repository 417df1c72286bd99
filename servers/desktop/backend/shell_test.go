package backend_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"goated/internal/proctest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
)

func TestShellIsOffUnlessAllowed(t *testing.T) {
	off := open(t, func(o *backend.Options) { o.Shell = false })
	ctx := soon(t)
	_, err := off.ExecuteShellCommand(ctx, &pb.ExecuteShellCommandRequest{Command: "true"})
	refused(t, "a command", err, codes.PermissionDenied, "shell commands are off")
	d := desk.Open(t, nil)
	desk.Terminal(t, d, "shell")
	_, err = off.CreateInput(ctx, typed("rm -rf x\n", 0))
	refused(t, "typing into a terminal", err, codes.PermissionDenied)
	script := filepath.Join(t.TempDir(), "saved")
	if err := proctest.WriteProgram(script, []byte("#!/bin/sh\nxterm\n")); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"xterm", "sh", "/bin/sh", "env", "python3", script} {
		refused(t, "opening "+id, operation(t, off, &pb.OpenApplicationRequest{Id: id}), codes.PermissionDenied)
	}

	on := open(t, nil)
	run := func(r *pb.ExecuteShellCommandRequest) *pb.ExecuteShellCommandResponse {
		t.Helper()
		return must[*pb.ExecuteShellCommandResponse](t)(on.ExecuteShellCommand(ctx, r))
	}
	if out := run(&pb.ExecuteShellCommandRequest{Command: `cat; echo "$A"; echo bad >&2; exit 3`, Stdin: "in ", Environment: map[string]string{"A": "b"}}); out.GetSuccess() || out.GetExitCode() != 3 || out.GetStdout() != "in b\n" || out.GetStderr() != "bad\n" {
		t.Errorf("%v", out)
	}
	if out := run(&pb.ExecuteShellCommandRequest{Command: "echo", Args: []string{"a b", "$HOME"}}); out.GetStdout() != "a b $HOME\n" {
		t.Errorf("%v", out)
	}
	begin := time.Now()
	if out := run(&pb.ExecuteShellCommandRequest{Command: "sleep 100 & sleep 100", Timeout: durationpb.New(50 * time.Millisecond)}); out.GetSuccess() || !strings.Contains(out.GetError(), "50ms") || time.Since(begin) > 10*time.Second {
		t.Errorf("%v after %v", out, time.Since(begin))
	}
	if v := must[*pb.ValidateScriptResponse](t)(on.ValidateScript(ctx, &pb.ValidateScriptRequest{Type: pb.ScriptType_SCRIPT_TYPE_SHELL, Script: "if true; then"})); v.GetValid() || len(v.GetErrors()) != 1 {
		t.Errorf("%v", v)
	}
}
