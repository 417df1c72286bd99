//go:build unix

package backend_test

import (
	"strconv"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"

	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/x11test"
)

// On Wayland, each application lists its own windows. While one hangs, its windows are not reported
// as gone, and the windows of other applications are still listed.
func TestWaylandListsNoWindowsOfASilentApplication(t *testing.T) {
	w, b := openWayland(t)
	silent, _ := w.run(t, "Silent")
	other, _ := w.run(t, "Other")
	ctx := soon(t)
	must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: silent}))
	pid, err := strconv.Atoi(strings.TrimPrefix(silent, "applications/"))
	if err != nil {
		t.Fatal(err)
	}
	x11test.Stop(t, pid)
	_, err = b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: silent})
	refused(t, "the windows of a silent application", err, codes.DeadlineExceeded, "Silent", "does not answer; try again")
	list := must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: other})).GetWindows()
	if len(list) != 1 || list[0].GetTitle() != "Other" {
		t.Errorf("the windows of the other: %v", list)
	}
	h := &headerStream{}
	list = must[*pb.ListWindowsResponse](t)(b.ListWindows(grpc.NewContextWithServerTransportStream(ctx, h), &pb.ListWindowsRequest{Parent: "applications/-"})).GetWindows()
	if note := strings.Join(h.header.Get(pb.NoteHeader), " "); len(list) != 1 || !strings.Contains(note, "windows of Silent may be missing") {
		t.Errorf("all windows: %v with the note %q", list, note)
	}
}
