package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
)

// A file that is dropped on an editor opens in it and can be saved under another name. If a program
// accepts no files, the error reports it.
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
	saves(t, b, app.GetName())
	whole := strings.Repeat("naïve 日本語\n", 500) // 5,000 characters
	write := func(text string) {
		t.Helper()
		must[*pb.WriteElementValueResponse](t)(b.WriteElementValue(ctx, &pb.WriteElementValueRequest{Parent: app.GetName(),
			Target: &pb.WriteElementValueRequest_ElementId{ElementId: element(app.GetName(), "text")}, Value: text}))
	}
	write(whole)
	rolledBack(t, b, func() { write("new") }) // it used to cut the text to 4,096 characters
	name := app.GetName() + "/elements/" + element(app.GetName(), "text")
	if e := must[*pb.Element](t)(b.GetElement(ctx, &pb.GetElementRequest{Name: name})); e.GetText() != whole {
		t.Errorf("the element has %d bytes of text, ending in %q", len(e.GetText()), e.GetText()[max(0, len(e.GetText())-50):])
	}
	back := filepath.Join(t.TempDir(), "back.txt")
	keys := key("s", pb.KeyPress_MODIFIER_CONTROL, pb.KeyPress_MODIFIER_SHIFT)
	keys.Parent = app.GetName()
	must[*pb.Input](t)(b.CreateInput(ctx, keys))
	must[*pb.AutomateSaveFileDialogResponse](t)(b.AutomateSaveFileDialog(ctx, &pb.AutomateSaveFileDialogRequest{Application: app.GetName(), FilePath: back}))
	desk.Until(t, "the whole text", func() bool { text, _ := os.ReadFile(back); return string(text) == whole })
	o, err := b.OpenApplication(ctx, &pb.OpenApplicationRequest{Id: "galculator"})
	other := result(t, b, o, err, new(pb.OpenApplicationResponse)).GetApplication()
	_, err = b.DragFiles(ctx, &pb.DragFilesRequest{Application: other.GetName(), FilePaths: []string{path}, TargetElementId: element(other.GetName(), "toggle button")})
	refused(t, "a drop onto a calculator", err, codes.FailedPrecondition, "files")
}

// saves saves the editor's file under other names. The editor's dialog has no default button, so
// Return has no effect there. It asks before it replaces a file.
func saves(t *testing.T, b *backend.Backend, app string) {
	t.Helper()
	ctx, old := soon(t), filepath.Join(t.TempDir(), "old.txt")
	if err := os.WriteFile(old, []byte("old text"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, "a file that is there", second(b.AutomateSaveFileDialog(ctx, &pb.AutomateSaveFileDialogRequest{Application: app, FilePath: old})), codes.FailedPrecondition, "confirm_overwrite")
	for _, path := range []string{old, filepath.Join(filepath.Dir(old), "new.txt")} {
		r := key("s", pb.KeyPress_MODIFIER_CONTROL, pb.KeyPress_MODIFIER_SHIFT)
		r.Parent = app
		must[*pb.Input](t)(b.CreateInput(ctx, r))
		h := new(headerStream)
		must[*pb.AutomateSaveFileDialogResponse](t)(b.AutomateSaveFileDialog(grpc.NewContextWithServerTransportStream(ctx, h),
			&pb.AutomateSaveFileDialogRequest{Application: app, FilePath: path, ConfirmOverwrite: path == old, DefaultFilename: "other.txt"}))
		if note := strings.Join(h.header.Get(pb.NoteHeader), " "); !strings.Contains(note, "default_filename had no effect") {
			t.Errorf("the default_filename is not used, without a word: %q", note)
		}
		desk.Until(t, "the text in "+path, func() bool { text, _ := os.ReadFile(path); return string(text) == "dropped text" })
	}
}
