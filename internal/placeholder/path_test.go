package placeholder_test

import (
	"testing"

	"goated/internal/placeholder"
)

func TestIDsNameTheirPath(t *testing.T) {
	for path, want := range map[string]string{
		"/Users/username/Desktop": "/Users/username/Desktop",
		"~/path/to/my file.db":    "/path/to/my_file_db",
		`C:\path\to\x`:            "/C_/path/to/x",
	} {
		if got, ok := placeholder.Path(placeholder.PathInput(path)); !ok || got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	if _, ok := placeholder.Path("workspaceFolder"); ok {
		t.Error("a folder of an editor is none")
	}
}
