package launch

import "testing"

// A package of a Cargo workspace is built in the target of the workspace. The workspace itself has no
// program: its error named a file without a name.
func TestFoldersOfCargoWorkspaces(t *testing.T) {
	understands(t, disk{
		"/ws/Cargo.toml": "[workspace]\nmembers = [\"crates/*\"]", "/ws/crates/sky/Cargo.toml": "[package]\nname = \"sky-mcp\"", "/ws/target/release/sky-mcp": "",
		"/ws/crates/sea/Cargo.toml": "[package]\nname = \"sea-mcp\"", "/one/Cargo.toml": "[package]\nname = \"one\"\n[[bin]]\nname = \"one-server\"", "/one/target/debug/one-server": "",
	}.system(every...), [][2]string{
		{"/ws/crates/sky", "/ws/target/release/sky-mcp | file /ws/crates/sky | sky"},
		{"/ws/crates/sea", "error: /ws/crates/sea/target/release/sea-mcp does not exist: the server is not built yet"},
		{"/ws", "error: goated finds no server in /ws"},
		{"/one", "/one/target/debug/one-server | file /one | one"},
	})
}
