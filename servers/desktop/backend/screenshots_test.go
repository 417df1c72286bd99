package backend_test

import (
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"

	"goated/internal/proctest"
	pb "goated/servers/desktop/macosusesdk"
)

// A picture whose text cannot be read is still returned, because the screen may look different in
// the next one.
func TestAPictureWithoutItsText(t *testing.T) {
	b := open(t, nil)
	broken := t.TempDir()
	if err := proctest.WriteProgram(filepath.Join(broken, "tesseract"), []byte("#!/bin/sh\nexit 3\n")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{t.TempDir(): "needs tesseract: install it", broken: "exit status 3"} {
		t.Setenv("PATH", path)
		h := &headerStream{}
		shot, err := b.CaptureScreenshot(grpc.NewContextWithServerTransportStream(soon(t), h), &pb.CaptureScreenshotRequest{IncludeOcrText: true})
		note := strings.Join(h.header.Get(pb.NoteHeader), " ")
		if err != nil || len(shot.GetImageData()) == 0 || shot.GetOcrText() != "" || !strings.Contains(note, "text in the picture is not read: ") || !strings.Contains(note, want) {
			t.Errorf("%d bytes, %v, with the note %q", len(shot.GetImageData()), err, note)
		}
	}
}
