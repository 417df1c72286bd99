package intent

import "testing"

// Only a tool that returns the content of a file reads it.
func TestReadsFile(t *testing.T) {
	tools := toolbox(t, known(t, "usual")+known(t, "code")+"notes cat | Show a file. | path:string!\nhub get_file_contents | Get the contents of a file. | owner:string! path:string!\n")
	want := map[string]string{"read_text_file": "json", "read_file": "json", "cat": "json", "get_file_contents": "json", "read_media_file": "json"}
	for _, tool := range tools {
		if got := ReadsFile(tool, map[string]any{"path": "a/b.json", "repo_path": "a/b.json"}); got != want[tool.Own] {
			t.Errorf("%s: %q, want %q", tool.Own, got, want[tool.Own])
		}
	}
	if got := ReadsFile(tools[1], map[string]any{"path": "src"}); got != "" {
		t.Errorf("a folder: %q", got)
	}
}
