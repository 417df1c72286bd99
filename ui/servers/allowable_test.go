package servers_test

import (
	"path/filepath"
	"strings"
	"testing"

	"goated/ui/servers"
)

// The page allows neither a folder that does not exist nor the whole computer.
func TestFoldersThatCanBeAllowed(t *testing.T) {
	for path, want := range map[string]string{
		"": "enter a folder", "data": "full path", "/": "whole computer", filepath.Join(t.TempDir(), "none"): "does not exist", t.TempDir(): "",
	} {
		if err := servers.CheckAllowedPath(path); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v", path, err)
		}
	}
}
