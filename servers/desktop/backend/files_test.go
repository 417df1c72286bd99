package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	pb "goated/servers/desktop/macosusesdk"
)

// A file that is dropped onto an editor opens in it. A program that takes no files says so.
func TestFilesAreDropped(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "naïve 日本語 file.txt")
	if err := os.WriteFile(path, []byte("dropped text"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, app := workplace(t, "mousepad")
	ctx := soon(t)
	element := func(app, kind string) (id string) {
		t.Helper()
		desk.Until(t, "the element "+kind, func() bool {
			found, err := b.FindElements(ctx, &pb.FindElementsRequest{Parent: app, Selector: role(kind), VisibleOnly: true})
			if err != nil || len(found.GetElements()) == 0 {
				return false
			}
			id = found.GetElements()[0].GetElementId()
			return true
		})
		return id
	}
	r := &pb.DragFilesRequest{Application: app.GetName(), FilePaths: []string{path}, TargetElementId: element(app.GetName(), "text")}
	if dropped := must[*pb.DragFilesResponse](t)(b.DragFiles(ctx, r)); !dropped.GetSuccess() || dropped.GetFilesDropped() != 1 {
		t.Error(dropped)
	}
	desk.Until(t, "window of the file", func() bool {
		windows, err := b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: app.GetName()})
		return err == nil && strings.Contains(windows.String(), "naïve 日本語 file.txt")
	})
	o, err := b.OpenApplication(ctx, &pb.OpenApplicationRequest{Id: "galculator"})
	other := result(t, b, o, err, new(pb.OpenApplicationResponse)).GetApplication()
	_, err = b.DragFiles(ctx, &pb.DragFilesRequest{Application: other.GetName(), FilePaths: []string{path}, TargetElementId: element(other.GetName(), "toggle button")})
	refused(t, "a drop onto a calculator", err, codes.FailedPrecondition, "files")
}
