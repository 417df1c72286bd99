package intent

import (
	"strings"
	"testing"
)

// toolbox reads tools from lines "server tool | description | arguments". An argument is
// name:type, with ! if it is required; a type in parentheses is a list of values.
func toolbox(t testing.TB, lines string) []Tool {
	t.Helper()
	var all []Tool
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		cols := strings.Split(line, " | ")
		server, own, ok := strings.Cut(cols[0], " ")
		if !ok || len(cols) < 2 {
			t.Fatalf("line %q", line)
		}
		properties, required := map[string]any{}, []any{}
		if len(cols) > 2 {
			for arg := range strings.FieldsSeq(cols[2]) {
				name, kind, _ := strings.Cut(arg, ":")
				kind, needed := strings.CutSuffix(kind, "!")
				p := map[string]any{"type": kind}
				switch {
				case strings.HasPrefix(kind, "("):
					var values []any
					for v := range strings.SplitSeq(strings.Trim(kind, "()"), ",") {
						values = append(values, v)
					}
					p = map[string]any{"type": "string", "enum": values}
				case kind == "strings":
					p = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
				case kind == "objects":
					p = map[string]any{"type": "array", "items": map[string]any{"type": "object"}}
				case kind == "edits":
					p = map[string]any{"type": "array", "items": map[string]any{"type": "object", "properties": map[string]any{"oldText": map[string]any{"type": "string"}, "newText": map[string]any{"type": "string"}}}}
				}
				properties[name] = p
				if needed {
					required = append(required, name)
				}
			}
		}
		all = append(all, Tool{Name: server + "__" + own, Server: server, Own: own, Description: cols[1],
			Schema: map[string]any{"type": "object", "properties": properties, "required": required}})
	}
	return all
}

// usual are tools like those of widespread servers.
const usual = `
filesystem read_file | Read the complete contents of a file as text. DEPRECATED: Use read_text_file instead. | path:string! tail:number head:number
filesystem read_text_file | Read the complete contents of a file from the file system as text. Handles various text encodings. Use this tool when you need to examine the contents of a single file. Use head for the first N lines, tail for the last. | path:string! tail:number head:number
filesystem read_media_file | Read an image or audio file. Returns the base64 encoded data and MIME type. | path:string!
filesystem read_multiple_files | Read the contents of multiple files simultaneously. This is more efficient than reading files one by one. | paths:strings!
filesystem write_file | Create a new file or completely overwrite an existing file with new content. Use with caution as it will overwrite existing files without warning. | path:string! content:string!
filesystem edit_file | Make line-based edits to a text file. Each edit replaces exact line sequences with new content. Returns a git-style diff. | path:string! edits:edits! dryRun:boolean
filesystem create_directory | Create a new directory or ensure a directory exists. Can create multiple nested directories in one operation. | path:string!
filesystem list_directory | Get a detailed listing of all files and directories in a specified path. Results distinguish between files and directories. | path:string!
filesystem list_directory_with_sizes | Get a detailed listing of all files and directories in a specified path, including sizes. | path:string! sortBy:(name,size)
filesystem directory_tree | Get a recursive tree view of files and directories as a JSON structure. | path:string! excludePatterns:strings
filesystem move_file | Move or rename files and directories. Can move files between directories and rename them in a single operation. | source:string! destination:string!
filesystem search_files | Recursively search for files and directories matching a pattern. The patterns should be glob-style patterns. | path:string! pattern:string! excludePatterns:strings
filesystem get_file_info | Retrieve detailed metadata about a file or directory, including size, creation time, last modified time, permissions, and type. | path:string!
filesystem list_allowed_directories | Returns the list of directories that this server is allowed to access.
memory create_entities | Create multiple new entities in the knowledge graph | entities:objects!
memory create_relations | Create multiple new relations between entities in the knowledge graph. Relations should be in active voice | relations:objects!
memory add_observations | Add new observations to existing entities in the knowledge graph | observations:objects!
memory delete_entities | Delete multiple entities and their associated relations from the knowledge graph | entityNames:strings!
memory delete_observations | Delete specific observations from entities in the knowledge graph | deletions:objects!
memory delete_relations | Delete multiple relations from the knowledge graph | relations:objects!
memory read_graph | Read the entire knowledge graph
memory search_nodes | Search for nodes in the knowledge graph based on a query | query:string!
memory open_nodes | Open specific nodes in the knowledge graph by their names | names:strings!
timeserver get_current_time | Get current time in a specific timezone | timezone:string!
timeserver convert_time | Convert time between timezones | source_timezone:string! time:string! target_timezone:string!
gitserver git_status | Shows the working tree status | repo_path:string!
gitserver git_diff_unstaged | Shows changes in the working directory that are not yet staged | repo_path:string! context_lines:integer
gitserver git_diff_staged | Shows changes that are staged for commit | repo_path:string! context_lines:integer
gitserver git_diff | Shows differences between branches or commits | repo_path:string! target:string! context_lines:integer
gitserver git_commit | Records changes to the repository | repo_path:string! message:string!
gitserver git_add | Adds file contents to the staging area | repo_path:string! files:strings!
gitserver git_reset | Unstages all staged changes | repo_path:string!
gitserver git_log | Shows the commit logs | repo_path:string! max_count:integer start_timestamp:string end_timestamp:string
gitserver git_create_branch | Creates a new branch from an optional base branch | repo_path:string! branch_name:string! base_branch:string
gitserver git_checkout | Switches branches | repo_path:string! branch_name:string!
gitserver git_show | Shows the contents of a commit | repo_path:string! revision:string!
gitserver git_branch | List Git branches | repo_path:string! branch_type:string! contains:string not_contains:string
sqliteserver read_query | Execute a SELECT query on the SQLite database | query:string!
sqliteserver write_query | Execute an INSERT, UPDATE, or DELETE query on the SQLite database | query:string!
sqliteserver create_table | Create a new table in the SQLite database. The query is a CREATE TABLE SQL statement. | query:string!
sqliteserver list_tables | List all tables in the SQLite database
sqliteserver describe_table | Get the schema information for a specific table | table_name:string!
sqliteserver append_insight | Add a business insight to the memo | insight:string!
fetchserver fetch | Fetches a URL from the internet and optionally extracts its contents as markdown. | url:string! max_length:integer start_index:integer raw:boolean
everything echo | Echoes back the input string | message:string!
everything get-annotated-message | Demonstrates how annotations can be used to provide metadata about content. | messageType:(error,success,debug)! includeImage:boolean
everything get-env | Returns all environment variables, helpful for debugging MCP server configuration
everything get-resource-links | Returns up to ten resource links that reference different types of resources | count:number
everything get-resource-reference | Returns a resource reference that can be used by MCP clients | resourceType:(Text,Blob) resourceId:number
everything get-structured-content | Returns structured content along with an output schema for client data validation | location:(New-York,Chicago,Los-Angeles)!
everything get-sum | Returns the sum of two numbers | a:number! b:number!
everything get-tiny-image | Returns a tiny MCP logo image.
everything gzip-file-as-resource | Compresses a single file using gzip compression. | name:string data:string outputType:(resourceLink,resource)
everything toggle-simulated-logging | Toggles simulated, random-leveled logging on or off.
everything toggle-subscriber-updates | Toggles simulated resource subscription updates on or off.
everything trigger-long-running-operation | Demonstrates a long running operation with progress updates. | duration:number steps:number
everything simulate-research-query | Simulates a deep research operation that gathers, analyzes, and synthesizes information. | topic:string! ambiguous:boolean
ghost haunt_desktop | Write a note on the desktop: create a text file with the given name and content in the user's Desktop folder. Use it to leave a message, reminder or list where the user will see it. If a file of that name exists it is replaced, and the answer says so. | filename:string! content:string!
ghost play_system_sound | Play a sound (audio alert, beep, chime) on the user's computer to get their attention: error when something failed, warning when something needs care, success when a job is done. | type:(error,warning,success)!
ghost read_project_context | List the files and folders in a directory of the project, with the size of each file in bytes. Use it to see, show or look at what a folder contains. Shows names only, not what is inside the files. | directoryPath:string!
ghost manage_memory | Remember or recall a fact across conversations: write saves (stores) a value under a key, read looks up the value saved under a key. Use it to remember names, preferences, counts or notes for later, and to recall what was remembered before. | action:(read,write)! key:string! value:string
`
