package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
)

// If two windows have the same title, their positions show which elements belong to which. If one
// window covers the other, the error names both.
func TestWindowsWithOneTitle(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"one", "two"} {
		path := filepath.Join(dir, name, "notes.txt")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("text of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	settings := filepath.Join(dir, "glib-2.0", "settings", "keyfile") // the titles do not contain the folder
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte("[org/xfce/mousepad/preferences/window]\npath-in-title=false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, app := launched(t, "mousepad", "env GSETTINGS_BACKEND=keyfile XDG_CONFIG_HOME="+dir+" mousepad --opening-mode=window "+strings.Join(files, " "), backend.Options{Hidden: &hidden.Options{Width: 1400, Height: 900}})
	ctx := soon(t)
	var alike []*pb.Window
	desk.Until(t, "two windows with one title", func() bool {
		alike = must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: app.GetName()})).GetWindows()
		return len(alike) == 2 && alike[0].GetTitle() == alike[1].GetTitle()
	})
	texts := func(w *pb.Window) (string, error) {
		r, err := b.FindElements(ctx, &pb.FindElementsRequest{Parent: w.GetName(), Selector: role("text"), VisibleOnly: true})
		var all []string
		for _, e := range r.GetElements() {
			all = append(all, e.GetText())
		}
		return strings.Join(all, " "), err
	}
	for i, w := range alike {
		must[*pb.Window](t)(b.MoveWindow(ctx, &pb.MoveWindowRequest{Name: w.GetName(), X: float64(50 + i*650), Y: 50}))
	}
	desk.Until(t, "the text of each", func() bool {
		a, err1 := texts(alike[0])
		z, err2 := texts(alike[1])
		return err1 == nil && err2 == nil && a != z && strings.Contains(a+z, "text of one") && strings.Contains(a+z, "text of two")
	})
	must[*pb.Window](t)(b.MoveWindow(ctx, &pb.MoveWindowRequest{Name: alike[1].GetName(), X: 50, Y: 50}))
	must[*pb.Window](t)(b.ResizeWindow(ctx, &pb.ResizeWindowRequest{Name: alike[1].GetName(), Width: alike[0].GetBounds().GetWidth(), Height: alike[0].GetBounds().GetHeight()}))
	desk.Until(t, "the error that names both", func() bool { _, err := texts(alike[0]); return err != nil })
	_, err := texts(alike[0])
	refused(t, "one of two windows at one place", err, codes.FailedPrecondition, alike[0].GetName(), alike[1].GetName(), "Move one of them")
}
