package resourcename

import (
	"math"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"goated/servers/desktop/macosusesdk"
)

// A resource id must be a valid label, and the error explains the format.
func TestChosenIDs(t *testing.T) {
	for _, id := range []string{"", "a", "o1", "a-b", strings.Repeat("a", 63)} {
		if err := CheckID("input_id", id); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"1a", "a-", "A", "a b", "a/b", "é", strings.Repeat("a", 64)} {
		if err := CheckID("input_id", id); status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), "input_id") || !strings.Contains(err.Error(), "begins with a letter") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// Every formatted name can be parsed, and nothing else is a valid name.
func TestNames(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		pid, id := rapid.IntRange(0, math.MaxInt32).Draw(r, "pid"), rapid.Uint32().Draw(r, "id")
		if got, err := ParseApplication(Application(pid)); err != nil || got != pid {
			r.Error(got, err)
		}
		if p, w, err := ParseWindow(Window(pid, id)); err != nil || p != pid || w != id {
			r.Error(p, w, err)
		}
		if p, w, err := ParseParent(Window(pid, id)); err != nil || p != pid || w != id {
			r.Error(p, w, err)
		}
		if p, e, err := ParseElement(Application(pid) + "/elements/e5"); err != nil || p != pid || e != "e5" {
			r.Error(p, e, err)
		}
	})
	for _, wrong := range []string{"", "applications/", "applications/-1", "applications/x", "applications/1/windows/", "applications/1/windows/4294967296", "applications/1/elements/", "CI/CD"} {
		_, err := ParseApplication(wrong)
		_, _, err2 := ParseWindow(wrong)
		_, _, err3 := ParseElement(wrong)
		for _, err := range []error{err, err2, err3} {
			if status.Code(err) != codes.InvalidArgument {
				t.Errorf("%q: %v", wrong, err)
			}
		}
	}
}

// A request names what it is about in its name, its parent or its application.
func TestNamesInRequests(t *testing.T) {
	for want, request := range map[string]any{
		"applications/1/windows/2": &macosusesdk.CloseWindowRequest{Name: "applications/1/windows/2"},
		"applications/1":           &macosusesdk.CreateInputRequest{Parent: "applications/1"},
		"applications/2":           &macosusesdk.DragFilesRequest{Application: "applications/2"},
		"":                         &macosusesdk.ExecuteShellCommandRequest{Command: "applications/3"},
	} {
		if got := Of(request); got != want {
			t.Errorf("%T has %q, want %q", request, got, want)
		}
	}
}
