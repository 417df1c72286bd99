package launch

import "testing"

// What terminals and lists write around a command is none of its words.
func TestPromptsOfTerminals(t *testing.T) {
	sys := disk{}.system(every...)
	for _, before := range []string{
		"$ ", "% ", "> ", "❯ ", "PS> ", "PS C:\\Users\\ann> ", "PS /home/ann> ", "C:\\Users\\ann>", "(.venv) $ ", "(venv) ", "(base) ann@mac ~ % ", "[me@host ~]$ ", "[root@host app]# ",
		"me@mac ~ % ", "me@host:~/src$ ", "(.venv) me@host:~/src$ ", "me@host ~> ", "➜ ", "➜  ~ ", "➜  ~/src ", "➜  fs git:(main) ", "➜  fs git:(main) ✗ ", "➜  fs ", "Mac:~ me$ ", "~ $ ", "~/src $ ", "bash-5.2$ ",
		"1. ", "12) ", "- ", "* ", "• ", "1. $ ", "- (.venv) $ ",
	} {
		says(t, before+"npx -y fs-mcp --key k", "npx -y fs-mcp --key k | npm fs-mcp | fs", sys)
	}
	says(t, `[me@host ~]$ claude mcp add-json fs '{"command":"npx","args":["-y","fs-mcp"]}'`, "npx -y fs-mcp | npm fs-mcp | fs", sys)
	says(t, "1. npm install\n2. npx -y fs-mcp", "npx -y fs-mcp | npm fs-mcp | fs", sys)
}

// A command goes on in the next line, also where a space follows the backslash.
func TestCommandsOfSeveralLines(t *testing.T) {
	sys := disk{}.system(every...)
	far := sys
	far.Windows = true
	for _, text := range []string{
		"npx -y fs-mcp \\ \n  --key k", "npx -y fs-mcp \\\n  --key k", "npx -y fs-mcp \\\t\n--key \\  \n k", "npx -y fs-mcp \\\n> --key k", "npx -y fs-mcp ^\n --key k",
		"npx -y fs-mcp ` \n --key k", "npx -y fs-mcp --key k \\ ", "# a \\\nnpx -y fs-mcp --key k", "npx -y fs-mcp \\\n  \\\n --key k",
	} {
		says(t, text, "npx -y fs-mcp --key k | npm fs-mcp | fs", sys)
	}
	says(t, "npx -y fs-mcp \\ \n  --key k", "npx -y fs-mcp --key k | npm fs-mcp | fs", far)
}
