package offline

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/agent/modeltest"
	"goated/agent/turntest"
	"goated/registry"
)

// fileTools returns the tools of a file server that writes whole files, a tool that deletes
// something other than files, and more.
func fileTools(more ...*mcp.Tool) *turntest.Toolbox {
	b := &turntest.Toolbox{Run: turntest.Echo}
	b.Registry.Set("filesystem", false, registry.Origin{}, append([]*mcp.Tool{
		{Name: "write_file", Description: "Create a new file or completely overwrite an existing file with new content. Use with caution as it will overwrite existing files without warning.", InputSchema: object([]any{"path", "content"}, map[string]any{"path": text(), "content": text()})},
		{Name: "edit_file", Description: "Make line-based edits to a text file. Each edit replaces exact line sequences with new content.", InputSchema: object([]any{"path", "edits"}, map[string]any{"path": text(), "edits": map[string]any{"type": "array", "items": object(nil, map[string]any{"oldText": text(), "newText": text()})}})},
		{Name: "read_text_file", Description: "Read the complete contents of a file as text.", InputSchema: object([]any{"path"}, map[string]any{"path": text()})},
	}, more...))
	b.Registry.Set("llmem", true, registry.Origin{}, []*mcp.Tool{
		{Name: "delete_artifact", Title: "Delete artifacts", Description: "Delete stored artifacts. The source files stay as they are.", InputSchema: object([]any{"path"}, map[string]any{"path": text()})},
	})
	return b
}

// A request to add something to a file never calls a tool that replaces the file, and the answer
// does not offer such a tool as a choice. The answer only names it.
func TestAddingKeepsTheFile(t *testing.T) {
	for _, request := range []string{
		"add butter to shopping.txt", "append butter to shopping.txt", "put butter on shopping.txt", "put butter into shopping.txt", "please add butter to my file shopping.txt",
		"can you add butter to shopping.txt?", "write butter to the end of shopping.txt", "insert butter at the top of shopping.txt", "also include butter in the list shopping.txt", `add "butter" to "shopping.txt"`,
	} {
		ask := func(_ context.Context, q agent.Question) (map[string]any, error) {
			t.Errorf("%q: asked %+v", request, q)
			return nil, agent.ErrDeclined
		}
		said, call := planned(t, &Model{Ask: ask}, fileTools(), request)
		if want := "No connected tool adds to a file. “write_file” replaces the whole file, so it would delete what shopping.txt holds now."; call != nil || !strings.Contains(said, want) {
			t.Errorf("%q: %q, call %v", request, said, call)
		}
	}
}

// "write X to Y" still writes the file, and so does a request to put something in a new file.
func TestWritingStillWrites(t *testing.T) {
	for _, request := range []string{"write butter to shopping.txt", `save "butter" as shopping.txt`, "save butter in shopping.txt", "put butter in a file called shopping.txt", "put butter in a new file shopping.txt"} {
		said, call := planned(t, &Model{}, fileTools(), request)
		if call == nil || call.Name != "filesystem__write_file" || call.Args["path"] != "shopping.txt" {
			t.Errorf("%q: %q, call %v", request, said, call)
		}
	}
}

// If a tool can append, the request calls it with the argument that makes it append.
func TestAddingUsesTheToolThatAppends(t *testing.T) {
	path := map[string]any{"path": text(), "content": text()}
	flag := map[string]any{"path": text(), "content": text(), "append": map[string]any{"type": "boolean"}}
	mode := map[string]any{"path": text(), "content": text(), "mode": map[string]any{"type": "string", "enum": []any{"rewrite", "append"}}}
	for _, tt := range []struct {
		tool *mcp.Tool
		args map[string]any
	}{
		{&mcp.Tool{Name: "append_file", Description: "Append text to a file.", InputSchema: object([]any{"path", "content"}, path)}, map[string]any{"path": "shopping.txt", "content": "butter"}},
		{&mcp.Tool{Name: "extend_file", Description: "Add text to the end of a file.", InputSchema: object([]any{"path", "content"}, path)}, map[string]any{"path": "shopping.txt", "content": "butter"}},
		{&mcp.Tool{Name: "write_text", Description: "Write text to a file.", InputSchema: object([]any{"path", "content"}, flag)}, map[string]any{"path": "shopping.txt", "content": "butter", "append": true}},
		{&mcp.Tool{Name: "put_text", Description: "Write text to a file.", InputSchema: object([]any{"path", "content"}, mode)}, map[string]any{"path": "shopping.txt", "content": "butter", "mode": "append"}},
	} {
		name := "filesystem__" + tt.tool.Name
		choose := func(_ context.Context, q agent.Question) (map[string]any, error) {
			for _, c := range q.Choices {
				if c.Value != name || c.Detail != "filesystem" { // the label is the tool's title
					t.Errorf("%s: offers %v", name, c)
				}
			}
			return map[string]any{"tool": name}, nil
		}
		for _, request := range []string{"add butter to shopping.txt", "append butter to the file shopping.txt"} {
			said, call := planned(t, &Model{Ask: choose}, fileTools(tt.tool), request)
			if call == nil || call.Name != name || !reflect.DeepEqual(call.Args, tt.args) {
				t.Errorf("%s, %q: %q, call %v", name, request, said, call)
			}
		}
	}
}

// A tool whose description states that it does not append, or refers to another tool for that, is
// not used to append.
func TestAddingBelievesNoDenial(t *testing.T) {
	for _, about := range []string{
		"Write text to a file. It does not append: the old text is lost.", "Save a file. Use append_to_file to add text.", "Add a file with this text, or overwrite it.", "Insert the text in place of the file, which it replaces.",
	} {
		tool := &mcp.Tool{Name: "set_text", Description: about, InputSchema: object([]any{"path", "content"}, map[string]any{"path": text(), "content": text()})}
		if said, call := planned(t, &Model{}, fileTools(tool), "add butter to shopping.txt"); call != nil || !strings.Contains(said, "No connected tool adds to a file.") {
			t.Errorf("%s: %q, call %v", about, said, call)
		}
	}
}

// If the tools with the verb of a request do not work on files, the answer explains what is missing
// and offers none of them. A request to remove a part of a file does not delete the file.
func TestSaysWhatNoToolDoesToFiles(t *testing.T) {
	path := object([]any{"path"}, map[string]any{"path": text()})
	branch := &mcp.Tool{Name: "rename_branch", Description: "Rename a branch.", InputSchema: object([]any{"branch", "name"}, map[string]any{"branch": text(), "name": text()})}
	remove := &mcp.Tool{Name: "delete_file", Description: "Delete a file.", InputSchema: path}
	for _, tt := range []struct {
		request, want string
		box           *turntest.Toolbox
	}{
		{"delete note.txt", "No connected tool deletes files.", fileTools()},
		{"remove the file note.txt", "No connected tool deletes files.", fileTools()},
		{"get rid of note.txt", "No connected tool deletes files.", fileTools()},
		{"rename note.txt to list.txt", "No connected tool moves or renames files.", fileTools(branch)},
		{"remove butter from shopping.txt", "No connected tool removes a part of a file. I did not delete shopping.txt.", fileTools(remove)},
		{"erase the first line in the file shopping.txt", "No connected tool removes a part of a file.", fileTools(remove)},
	} {
		ask := func(_ context.Context, q agent.Question) (map[string]any, error) {
			t.Errorf("%q: asked %+v", tt.request, q)
			return nil, agent.ErrDeclined
		}
		if said, call := planned(t, &Model{Ask: ask}, tt.box, tt.request); call != nil || !strings.Contains(said, tt.want) {
			t.Errorf("%q: %q, call %v; want %q", tt.request, said, call, tt.want)
		}
	}
	for request, want := range map[string]string{"delete note.txt": "filesystem__delete_file", "delete the artifacts of main.go": "llmem__delete_artifact"} {
		if said, call := planned(t, &Model{}, fileTools(remove), request); call == nil || call.Name != want {
			t.Errorf("%q: %q, call %v", request, said, call)
		}
	}
}

// The file names in an earlier result decide which words of a request are a file name.
func TestOfflineKnowsListedFiles(t *testing.T) {
	box := fileTools()
	box.Run = func(context.Context, string, map[string]any) (string, error) { return "[FILE] notes.md", nil }
	session := &agent.Session{Model: &Model{}, Tools: box, Approve: modeltest.AllowAll()}
	for request, want := range map[string]string{"read list.md": "list.md", "read trip notes.md": "notes.md"} {
		if request == "read trip notes.md" {
			if _, err := modeltest.Collect(t.Context(), session, "read list.md"); err != nil {
				t.Fatal(err)
			}
		}
		events, err := modeltest.Collect(t.Context(), session, request)
		if calls := turntest.Only[agent.ToolCalled](events); err != nil || len(calls) != 1 || calls[0].Args["path"] != want {
			t.Errorf("%q: %v, %v", request, calls, err)
		}
	}
}
