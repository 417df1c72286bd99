package launch

import "testing"

// READMEs for Windows, fish and secret managers put other programs before the server's own.
func TestProgramsInFront(t *testing.T) {
	const a, k = "npx -y a-mcp | npm a-mcp | a", "npx -y a-mcp K=v | npm a-mcp | a"
	understands(t, disk{}.system(append(every, "op")...), [][2]string{
		{`cmd /c npx -y a-mcp`, a},
		{`cmd.exe /C "npx -y a-mcp"`, a},
		{`{"command":"cmd.exe","args":["/d","/s","/c","npx -y a-mcp"]}`, a},
		{`{"command":"cmd","args":["/C","set K=v && npx -y a-mcp"]}`, k},
		{`powershell -Command "npx -y a-mcp"`, a},
		{`{"command":"pwsh","args":["-NoProfile","-c","npx","-y","a-mcp"]}`, a},
		{`{"command":"wsl","args":["-d","Ubuntu","--","npx","-y","a-mcp"]}`, a},
		{`wsl.exe npx -y a-mcp`, a},
		{`set K=v && npx -y a-mcp`, k},
		{`set "K=v" & npx -y a-mcp`, k},
		{`$env:K="v"; npx -y a-mcp`, k},
		{"$env:K = 'v'\nnpx -y a-mcp", k},
		{"setx K v\nnpx -y a-mcp", k},
		{"set -gx K v; npx -y a-mcp", k},
		{"set -x K \"v\"\nnpx -y a-mcp", k},
		{`npx -y a-mcp $env:KEY`, "npx -y a-mcp ${input:KEY} | npm a-mcp | a"},
		{`env -i K=v npx -y a-mcp`, k},
		{`cross-env K=v npx -y a-mcp`, k},
		{`op run --env-file=.env -- npx -y a-mcp`, "op run --env-file=.env -- npx -y a-mcp | npm a-mcp | a"},
		{`dotenvx run -- npx -y a-mcp`, "dotenvx run -- npx -y a-mcp | npm a-mcp | a !0 dotenvx"},
		{`npx –y “a-mcp”`, a},
	})
	far := disk{}.system(append(every, "cmd")...)
	far.Windows = true
	understands(t, far, [][2]string{
		{`cmd /c npx -y a-mcp`, "cmd /c npx -y a-mcp | npm a-mcp | a"},
	})
}

// More clients have a command that adds a server, also through npx.
func TestMoreClientsAddServers(t *testing.T) {
	const a = "npx -y a-mcp | npm a-mcp | b"
	understands(t, disk{}.system(every...), [][2]string{
		{`q mcp add --name b --command npx --args '-y,a-mcp'`, a},
		{`kiro-cli mcp add --name b --command npx --args -y --args a-mcp --env K=v`, "npx -y a-mcp K=v | npm a-mcp | b"},
		{`npx -y @anthropic-ai/claude-code mcp add b -- npx -y a-mcp`, a},
		{`npx @google/gemini-cli@latest mcp add b npx -y a-mcp`, a},
		{`gemini extensions install https://github.com/x/y`, `error: The command "gemini extensions install https://github.com/x/y" sets up another program`},
		{`claude plugin install x@y`, `error: The command "claude plugin install x@y" sets up another program`},
	})
}

// A backslash escapes outside quotes, but not in a Windows path.
func TestBackslashes(t *testing.T) {
	table := [][2]string{
		{`npx a-mcp C:\srv\x "C:\srv\x y"`, `npx a-mcp C:\srv\x C:\srv\x y | npm a-mcp | a`},
	}
	far := disk{}.system(every...)
	far.Windows = true
	understands(t, far, table)
	understands(t, disk{}.system(every...), append(table, [2]string{`npx a-mcp /srv/My\ Files`, `npx a-mcp /srv/My Files | npm a-mcp | a`}))
}

// Windows shells need the quotes in JSON escaped. Paths next to the JSON keep their backslashes.
func TestEscapedJSONOfWindows(t *testing.T) {
	far := disk{}.system(every...)
	far.Windows = true
	const want = "npx -y x-mcp | npm x-mcp | x"
	double := `code --add-mcp "{\"name\":\"x\",\"command\":\"npx\",\"args\":[\"-y\",\"x-mcp\"]}"`
	single := `code --add-mcp '{\"name\":\"x\",\"command\":\"npx\",\"args\":[\"-y\",\"x-mcp\"]}'`
	table := [][2]string{
		{double, want},
		{single, want},
		{`claude mcp add-json x '{\"command\":\"npx\",\"args\":[\"-y\",\"x-mcp\"]}'`, want},
		{`claude mcp add-json x "{\"command\":\"npx\",\"args\":[\"-y\",\"x-mcp\"],\"env\":{\"K\":\"<your key>\"}}"`, "npx -y x-mcp K?your key | npm x-mcp | x"},
		{`{\"x\": {\"command\": \"npx\", \"args\": [\"-y\", \"x-mcp\"]}}`, want},
	}
	understands(t, disk{}.system(every...), table)
	understands(t, far, append(table, [][2]string{
		{`code --add-mcp "{\"name\":\"x\",\"command\":\"npx\",\"args\":[\"-y\",\"x-mcp\",\"C:\\data\"]}"`, `npx -y x-mcp C:\data | npm x-mcp | x`},
		{`npx -y x-mcp "C:\My Files\" C:\data`, `npx -y x-mcp C:\My Files\ C:\data | npm x-mcp | x`},
	}...))
}
