package backend_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	"goated/internal/proctest"
	"goated/servers/desktop/backend"
	"goated/servers/desktop/guard"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/wire"
	"goated/servers/desktop/x11/x11test"
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

// Without a window manager, keys go to the window at the pointer. They are refused there, too, if it is
// a terminal or goated's own.
func TestKeysAtThePointerAreRefused(t *testing.T) {
	desk.Need(t, "xterm")
	display, err := hidden.Start(t.Context(), hidden.Options{Width: 600, Height: 400, Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(display.Close)
	bare := x11test.Desk{Desktop: display}
	d := bare.Open(t, nil)
	ours := bare.Run(t, bare.Command(t, "xterm", "-geometry", "20x5+0+0", "-e", "sleep", "1000"))
	theirs := bare.Run(t, bare.Command(t, "xterm", "-geometry", "20x5+300+200", "-e", "sleep", "1000"))
	for at, pid := range map[[2]int]int{{20, 20}: ours, {320, 220}: theirs} {
		bare.Until(t, "terminal", func() bool { w, _, err := d.At(at[0], at[1]); return err == nil && w.PID == pid })
	}
	b := open(t, func(o *backend.Options) {
		o.Display, o.Authority, o.Shell, o.Own = display.Display, display.Authority(), false, guard.Own{PIDs: []int{ours}}
	})
	at := func(x, y float64) {
		t.Helper()
		must[*pb.Input](t)(b.CreateInput(soon(t), action(&pb.InputAction{InputType: &pb.InputAction_MoveMouse{MoveMouse: &pb.MouseMove{Position: &pb.Point{X: x, Y: y}}}})))
	}
	at(320, 220)
	refused(t, "text for a terminal", second(b.CreateInput(soon(t), typed("rm -rf x\n", 0))), codes.PermissionDenied, "terminal")
	refused(t, "a key for a terminal", second(b.CreateInput(soon(t), key("Return"))), codes.PermissionDenied, "terminal")
	x, err := wire.Dial(t.Context(), wire.Options{Display: display.Display, Authority: display.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	xproto.WarpPointer(x.X, 0, x.Root, 0, 0, 0, 0, 20, 20) // the user may move the pointer there
	if err := x.Sync(); err != nil {
		t.Fatal(err)
	}
	refused(t, "text for goated", second(b.CreateInput(soon(t), typed("y", 0))), codes.PermissionDenied, "goated itself")
	at(500, 50)
	h := new(headerStream)
	with := grpc.NewContextWithServerTransportStream(soon(t), h)
	must[*pb.Input](t)(b.CreateInput(with, typed("x", 0)))
	if notes := h.header.Get(pb.NoteHeader); len(notes) != 1 || !strings.Contains(notes[0], "No window has the keyboard focus") {
		t.Errorf("text for nobody has the notes %q", notes)
	}
	h.header = nil
	must[*pb.Input](t)(b.CreateInput(with, key("a")))
	if len(h.header) > 0 {
		t.Errorf("a key for nobody has the headers %q", h.header)
	}
}
