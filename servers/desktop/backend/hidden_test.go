package backend_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
)

// TestHiddenDesktop works on a desktop that the backend starts, and checks that nothing is left of it.
func TestHiddenDesktop(t *testing.T) {
	desk.Need(t, "xterm")
	b, err := backend.New(t.Context(), backend.Options{Hidden: &hidden.Options{Width: 640, Height: 480}, Shell: true})
	if err != nil {
		t.Fatal(err)
	}
	closed := false
	t.Cleanup(func() {
		if !closed {
			_ = b.Close()
		}
	})
	ctx := soon(t)
	o, err := b.OpenApplication(ctx, &pb.OpenApplicationRequest{Id: "xterm"})
	app := result(t, b, o, err, new(pb.OpenApplicationResponse)).GetApplication()
	windows := must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: app.GetName()})).GetWindows()
	if len(windows) != 1 || !strings.Contains(b.Workplace(), "hidden") {
		t.Fatalf("%v on %s", windows, b.Workplace())
	}
	path := filepath.Join(t.TempDir(), "out")
	r := typed("echo naïve 日本語 🙂 > "+path+"\n", 0)
	r.Parent = app.GetName()
	must[*pb.Input](t)(b.CreateInput(ctx, r))
	desk.Until(t, "file of the shell", func() bool { out, err := os.ReadFile(path); return err == nil && len(out) > 0 })
	if shot := must[*pb.CaptureScreenshotResponse](t)(b.CaptureScreenshot(ctx, &pb.CaptureScreenshotRequest{})); shot.GetWidth() != 640 {
		t.Errorf("%d pixels wide", shot.GetWidth())
	}
	if list := desk.Output(t, "wmctrl", "-l"); strings.Contains(list, windows[0].GetTitle()) {
		t.Errorf("the window is on the user's desktop: %s", list)
	}
	// Opening the application again activates the first window.
	o, err = b.OpenApplication(ctx, &pb.OpenApplicationRequest{Id: "XTerm"})
	if again := result(t, b, o, err, new(pb.OpenApplicationResponse)).GetApplication(); again.GetName() != app.GetName() {
		t.Errorf("%v, want %v", again, app)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	closed = true
	if _, err := b.ListWindows(context.WithoutCancel(ctx), &pb.ListWindowsRequest{Parent: app.GetName()}); err == nil {
		t.Error("a closed backend lists windows")
	}
	desk.Until(t, "end of the terminal", func() bool { return !apps.Running(int(app.GetPid())) })
}
