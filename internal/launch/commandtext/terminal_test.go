package commandtext

import "testing"

// What terminals and lists add to a command is not part of the command.
func TestPromptsOfTerminals(t *testing.T) {
	const command = "npx -y fs-mcp --key k"
	for _, before := range []string{
		"$ ", "% ", "> ", "❯ ", "PS> ", "PS C:\\Users\\ann> ", "PS /home/ann> ", "C:\\Users\\ann>", "(.venv) $ ", "(venv) ", "(base) ann@mac ~ % ", "[me@host ~]$ ", "[root@host app]# ",
		"me@mac ~ % ", "me@host:~/src$ ", "(.venv) me@host:~/src$ ", "me@host ~> ", "➜ ", "➜  ~ ", "➜  ~/src ", "➜  fs git:(main) ", "➜  fs git:(main) ✗ ", "➜  fs ", "Mac:~ me$ ", "~ $ ", "~/src $ ", "bash-5.2$ ",
		"1. ", "12) ", "- ", "* ", "• ", "1. $ ", "- (.venv) $ ",
	} {
		if got := Bash(before+command, false); got != command {
			t.Errorf("%q becomes %q", before+command, got)
		}
		if !LooksLikeCommand(before + command) {
			t.Errorf("%q looks like a sentence", before+command)
		}
	}
}

// A command continues on the next line, even if a space follows the backslash. Later lines keep their
// numbers.
func TestCommandsOfSeveralLines(t *testing.T) {
	for _, c := range []struct {
		text    string
		windows bool
		want    string
	}{
		{"npx -y fs-mcp \\ \n  --key k", false, "npx -y fs-mcp   --key k"},
		{"npx -y fs-mcp \\ \n  --key k", true, "npx -y fs-mcp   --key k"},
		{"npx -y fs-mcp \\\n  --key k", false, "npx -y fs-mcp   --key k"},
		{"npx -y fs-mcp \\\t\n--key \\  \n k", false, "npx -y fs-mcp --key  k"},
		{"npx -y fs-mcp \\\n> --key k", false, "npx -y fs-mcp  --key k"},
		{"npx -y fs-mcp ^\n --key k", false, "npx -y fs-mcp  --key k"},
		{"npx -y fs-mcp ` \n --key k", false, "npx -y fs-mcp  --key k"},
		{"npx -y fs-mcp --key k \\ ", false, "npx -y fs-mcp --key k "},
		{"npx -y fs-mcp \\\n  \\\n --key k", false, "npx -y fs-mcp    --key k"},
		{"npx a \\\n b\nnpx c", false, "npx a  b\n\nnpx c"},
		{"# a \\\nnpx -y fs-mcp", false, "# a \\\nnpx -y fs-mcp"},
		{"cd C:\\srv\\\nnpx -y fs-mcp", true, "cd C:\\\\srv\\\\\nnpx -y fs-mcp"},
	} {
		if got := Bash(c.text, c.windows); got != c.want {
			t.Errorf("%q becomes\n %q, want\n %q", c.text, got, c.want)
		}
	}
}
