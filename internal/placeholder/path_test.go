package placeholder_test

import (
	"testing"

	"goated/internal/launch"
	"goated/internal/placeholder"
)

func TestIDsNameTheirPath(t *testing.T) {
	for path, want := range map[string]string{
		"/Users/username/Desktop": "/Users/username/Desktop",
		"~/path/to/my file.db":    "~/path/to/my file.db",
		`C:\path\to\x`:            `C:\path\to\x`,
		"./your-notes/x.json":     "./your-notes/x.json",
		"/path/to/__init__/a_.py": "/path/to/__init__/a_.py",
		"<path>/server.py":        "<path>/server.py",
		"/path/to/__2E/<näme>/":   "/path/to/__2E/<näme>",
	} {
		if got, ok := placeholder.Path(placeholder.PathInput(path)); !ok || got != want {
			t.Errorf("%s: %s", path, got)
		}
		if in := (launch.Input{ID: placeholder.PathInput(path)}); len(launch.Between(in.Ref())) != 2 {
			t.Errorf("%s is no ID of an input", in.ID)
		}
	}
	if got, _ := placeholder.Path("path.path.to.my_file"); got != "/path/to/my_file" {
		t.Errorf("an ID that is saved names %s", got)
	}
	if _, ok := placeholder.Path("workspaceFolder"); ok {
		t.Error("a folder of an editor is none")
	}
}

func TestPathsAmongStandIns(t *testing.T) {
	for value, want := range map[string]bool{
		"/Users/username/Desktop": true, `C:\Users\<you>\x`: true, "path/to/x": true, "~/your-notes": true, "./your-notes/x": true,
		"<path>/server.py": true, "/ABSOLUTE_PATH_TO/bridge.py": true, `Path-to-downloaded\x.exe`: true, "<path to repo>/server.py": true, "[folder]/x": true, "{your-dir}/x": true,
		"<user>/<token>": false, "your-org/your-repo": false, "https://your-site.example/x": false, "YOUR_KEY": false, "...": false,
	} {
		if got := placeholder.IsPath(value); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}
