package launch

import "testing"

// The folder of a server is relative to the folder of the editor, and so are the editor's references in
// its arguments and variables. Its relative paths are relative to its own folder.
func TestFoldersOfServers(t *testing.T) {
	understands(t, disk{"/work/sub/a.sh": "", "/work/b.sh": ""}.system(every...), [][2]string{
		{`{"command": "npx", "args": ["x-mcp"], "cwd": "sub"}`, "npx x-mcp in /work/sub | npm x-mcp | x"},
		{`{"command": "npx", "args": ["x-mcp"], "cwd": "./sub/"}`, "npx x-mcp in /work/sub | npm x-mcp | x"},
		{`{"command": "npx", "args": ["x-mcp"], "cwd": "${workspaceFolder}/sub"}`, "npx x-mcp in /work/sub | npm x-mcp | x"},
		{`{"command": "npx", "args": ["x-mcp", "${workspaceFolder}"], "cwd": "sub", "env": {"ROOT": "${workspaceFolder}/r"}}`, "npx x-mcp /work in /work/sub ROOT=/work/r | npm x-mcp | x"},
		{`{"command": "bash", "args": ["./a.sh", "${workspaceFolder}/b.sh"], "cwd": "sub"}`, "bash /work/sub/a.sh /work/b.sh in /work/sub | file /work/sub/a.sh | a !0 bash"},
		{`{"command": "npx", "args": ["x-mcp"], "cwd": "${input:folder}"}`, "npx x-mcp in ${input:folder} | npm x-mcp | x"},
		{`{"url": "https://a.example/mcp", "cwd": "sub"}`, "https://a.example/mcp | web a.example | a"},
	})
}
