package llmem

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The answer for a folder with many folders is bounded, like the one for a folder with many files.
func TestAnAnswerNamesAFewFolders(t *testing.T) {
	files := make(map[string]string)
	for n := range folderLimit + 3 {
		files[fmt.Sprintf("f%03d/a.go", n)] = "package f\n"
		files[fmt.Sprintf("f%03d/b.go", n)] = "package f\n"
	}
	b := start(t, files)
	if a := b.ok("get_artifact", map[string]any{"path": "."}); len(a.Data.Folders) != folderLimit || a.Data.MoreFolders != 3 || a.Data.Folders[1] != "f001" {
		t.Errorf("%d folders, %d more", len(a.Data.Folders), a.Data.MoreFolders)
	}
}

// A link to a folder stands for that folder. The file list does not follow links, so it contains no
// files below the link.
func TestALinkMeansItsFolder(t *testing.T) {
	b := start(t, map[string]string{"v2/api/a.go": "package api\n\nfunc Serve() {}\n"})
	for link, target := range map[string]string{"latest": "v2", "v2/api/again": "..", "self": "."} {
		if err := os.Symlink(target, filepath.Join(b.dir, filepath.FromSlash(link))); err != nil {
			t.Skip("this system makes no links: ", err)
		}
	}
	for path, want := range map[string]string{"latest": "v2", "latest/api": "v2/api", "v2/api/again": "v2", "self": ".", "self/latest/api": "v2/api"} {
		a := b.ok("get_artifact", map[string]any{"path": path})
		if a.Data.SourcePath != want {
			t.Errorf("%s: %+v", path, a.Data)
		}
		if a := b.ok("find_symbol", map[string]any{"name": "Serve", "directory": path}); a.Data.Match != "exact" {
			t.Errorf("%s: find_symbol %s", path, a.Data.Match)
		}
	}
	b.ok("store_llm_result", map[string]any{"path": "latest", "task": "summarize", "result": "The second version."})
	if a := b.ok("get_artifact", map[string]any{"path": "v2", "type": "summarize"}); len(a.texts(t)) != 1 {
		t.Errorf("the summary of the folder: %+v", a.Data)
	}
}
