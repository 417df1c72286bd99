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

func TestPathsAmongStandIns(t *testing.T) {
	for value, want := range map[string]bool{
		"/Users/username/Desktop": true, `C:\Users\<you>\x`: true, "path/to/x": true, "~/your-notes": true, "./your-notes/x": true,
		"<user>/<token>": false, "your-org/your-repo": false, "https://your-site.example/x": false, "YOUR_KEY": false, "...": false,
	} {
		if got := placeholder.IsPath(value); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}
