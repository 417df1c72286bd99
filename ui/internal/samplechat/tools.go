package samplechat

import (
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/registry"
)

// ServersWithTools returns the servers of [Servers]. The first one has tools with descriptions.
func ServersWithTools() client.Snapshot {
	s := Servers()
	var tools []registry.Entry
	for i, x := range [][2]string{
		{"create_directory", "Makes a folder, and those above it where they are missing."},
		{"directory_tree", "Lists a folder with all that is in it, as JSON."},
		{"edit_file", "Changes lines of a text file and shows what has changed."},
		{"list_directory", "Lists the files and folders in a folder."},
		{"move_file", "Moves or renames a file or a folder. It fails if the destination is there already."},
		{"read_media_file", "Reads an image or a sound."},
		{"read_text_file", "Reads a text file, whole or only its beginning or end."},
		{"search_files", "Finds files whose names match a pattern."},
		{"write_file", "Writes a file, in place of what was there before."},
	} {
		tools = append(tools, registry.Entry{Name: "filesystem__" + x[0], Server: "filesystem", Tool: &mcp.Tool{Name: x[0], Description: x[1],
			InputSchema: map[string]any{"type": "object", "required": []any{"source", "destination"}, "properties": map[string]any{
				"source":      map[string]any{"type": "string", "description": "The file that is there, " + strconv.Itoa(i) + " levels deep at most."},
				"destination": map[string]any{"type": "string"},
				"overwrite":   map[string]any{"type": "boolean", "title": "Overwrite what is there"},
			}}}})
	}
	s.Servers[0].Tools = tools
	return s
}
