package userpath

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A path counts as missing only if nothing exists there. Every other error used to be reported as
// missing, so that goated advised creating a folder that exists.
func TestAFileThatCannotBeSeenMayExist(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]codes.Code{
		file: codes.OK, filepath.Join(dir, "none"): codes.NotFound, filepath.Join(file, "below"): codes.NotFound,
		filepath.Join(dir, strings.Repeat("x", 300)): codes.PermissionDenied, // the system refuses this name
	} {
		if err := CheckFile(path); status.Code(err) != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
