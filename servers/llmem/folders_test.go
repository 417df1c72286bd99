package llmem

import (
	"fmt"
	"testing"
)

// The answer about a folder with many folders is bounded, as that about one with many files is.
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
