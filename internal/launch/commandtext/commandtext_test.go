package commandtext

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func ExampleBash() {
	fmt.Println(Bash("(.venv) $ npx –y “fs-mcp” \\\n  --key <your key>", false))
	// Output: npx -y "fs-mcp"   --key '<your key>'
}

// A variable of another shell becomes one of bash, and a placeholder becomes a word instead of a
// redirection.
func TestBash(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`set K=v && npx a`, `K=v;  npx a`},
		{`set "K=v w" & npx a`, `K='v w';  npx a`},
		{`SETX K "v w"`, `K='v w';`},
		{`set -gx K v; set -x L 'w'; npx a`, `K=v; L=w;  npx a`},
		{`$env:K = 'v'; npx a $Env:L`, `K=v;  npx a ${L}`},
		{`set -e`, `set -e`},
		{`K=<your key> npx a`, `K='<your key>' npx a`},
		{`K=<the user's key> npx a`, `K="<the user's key>" npx a`},
		{`K="<key>" npx a`, `K="<key>" npx a`},
		{`npx a "b \" <key>"`, `npx a "b \" <key>"`},
		{`npx a '<b>' <c> # don't <d>`, `npx a '<b>' '<c>' # don't <d>`},
		{"x '{\n\"k\": \"<key>\"\n}' <y>", "x '{\n\"k\": \"<key>\"\n}' '<y>'"},
		{`npx a < file`, `npx a < file`},
		{`npx a <<EOF`, `npx a <<EOF`},
	} {
		if got := Bash(c.text, false); got != c.want {
			t.Errorf("%s\n becomes %s\n want    %s", c.text, got, c.want)
		}
	}
	for text, want := range map[string]string{ // on Windows
		`npx a C:\srv\x`:         `npx a C:\\srv\\x`,
		`npx a "C:\My Files\"`:   `npx a "C:\\My Files\\"`,
		`npx a "{\"k\": \"v\"}"`: `npx a "{\"k\": \"v\"}"`,
	} {
		if got := Bash(text, true); got != want {
			t.Errorf("%s\n becomes %s\n want    %s", text, got, want)
		}
	}
}

// A line that only prepares is not taken for the command of a server, and vice versa.
func TestPrepares(t *testing.T) {
	for text, want := range map[string]bool{
		"npm install fs-mcp": true, "npm run build": true, "npm run build:all": true, "yarn": true, "npm start": false, "npm run start": false, "yarn start": false,
		"pip install fs-mcp": true, "pipx install fs-mcp": true, "pipx run fs-mcp": false,
		"uv sync": true, "uv tool install fs-mcp": true, "uv tool run fs-mcp": false, "uv run pytest": true, "uv run fs-mcp": false,
		"python -m venv .venv": true, "python3 -m pip install fs": true, "python -m fs_mcp": false, "python server.py": false,
		"go install x.example/fs@latest": true, "go run .": false, "cargo build": true, "cargo run": false, "dotnet tool install fs": true, "dotnet run": false,
		"nix build": true, "nix run .#fs": false, "poetry install": true, "poetry run fs-mcp": false,
		"docker pull acme/fs": true, "docker compose up": true, "docker compose run fs": false, "docker run acme/fs": false,
		"sudo apt install node": true, "sudo -E npx fs-mcp": false, "sudo -u ada npx fs-mcp": false, "sudo -u ada apt install node": true, "sudo -u": true, "sudo": true, "git clone x": true, "node --version": true, "/usr/bin/curl x": true, "npx fs-mcp": false,
	} {
		if got := Prepares(strings.Fields(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestBehindShell(t *testing.T) {
	for text, want := range map[string]string{
		"cmd /c npx a": "npx a", "CMD.exe /d /s /c npx a": "npx a", "cmd /k npx a": "npx a", "pwsh -NoProfile -c npx a": "npx a", "powershell -Command npx a": "npx a",
		"wsl npx a": "npx a", "wsl.exe -d Ubuntu -- npx a": "npx a", "wsl --exec npx a": "npx a",
		"cmd /c": "", "cmd": "", "wsl -d Ubuntu": "", "bash -c npx": "", "npx a": "", "cmd /s npx /c a": "",
	} {
		rest, ok := BehindShell(strings.Fields(text))
		if strings.Join(rest, " ") != want || ok != (want != "") {
			t.Errorf("%s: %q, %t", text, rest, ok)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		`add x {"k": 1}`: `add x '{"k": 1}'`, `add x {"k": }`: `add x {"k": }`, `{"k": 1}`: `{"k": 1}`,
	} {
		if got := QuoteJSON(text); got != want {
			t.Errorf("%s is quoted as %s, want %s", text, got, want)
		}
	}
	for word, want := range map[string]string{`My\ Files`: `My Files`, `C:\srv\x`: `C:\srv\x`, `a\\b`: `a\b`, `a\`: `a\`} {
		if got := Unescape(word); got != want {
			t.Errorf("%s is read as %s, want %s", word, got, want)
		}
	}
	for program, want := range map[string]string{"/usr/bin/npx": "npx", `C:\node\npx.cmd`: "npx", "python3": "python3", "uv.exe": "uv"} {
		if got := ProgramName(program); got != want || !Familiar(program) {
			t.Errorf("%s has the name %s, want %s", program, got, want)
		}
	}
	commands := []string{"npx a", "$ npx a", "K=v npx a", "export K=v", `C:\node\npx.cmd a`}
	for _, text := range append(commands, "Run the server.", "", "k=v", "fs-mcp") {
		if got := LooksLikeCommand(text); got != slices.Contains(commands, text) {
			t.Errorf("%q looks like a command: %t", text, got)
		}
	}
}
