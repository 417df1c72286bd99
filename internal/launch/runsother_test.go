package launch

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Commands used to be refused because they "start no server" if their program usually only prepares, or
// if the name of a check followed an option.
func TestProgramsThatRunAServer(t *testing.T) {
	programs := strings.Fields("fnm volta kubectl rustup corepack asdf conda codex pixi pdm poetry mise pnpm npm fs-server")
	sys := disk{}.system(append(slices.Clone(every), programs...)...)
	for _, text := range []string{
		"uv run --with pytest fs-server", "uv run fs-server --tool ruff", "uv run --with black python -m fs_server",
		"fnm exec --using=20 npx -y fs-mcp", "volta run npx -y fs-mcp", "corepack pnpm dlx fs-mcp", "asdf exec npx -y fs-mcp",
		"rustup run stable cargo run", "conda run -n env fs-server", "kubectl -n tools exec -i deploy/fs -- fs-server",
		"codex -c model=gpt-5 mcp-server", "pixi exec fs-server", "pixi --manifest-path /work/pixi.toml run fs-server",
		"pdm -p /work run fs-server", "poetry --project /work run fs-server", "mise -C /work run fs", "mise r fs",
		"pnpm --filter docs start", "npm --workspace check start",
	} {
		if r, err := Understand(text, sys); err != nil || strings.Join(r.Servers[0].Words(), " ") != text {
			t.Errorf("%s: %+v, %v", text, r.Servers, err)
		}
	}
	for _, text := range []string{
		"uv run --with x pytest", "uv run python -m pytest", "uv run -m mypy", "conda create -n env", "conda activate env", "kubectl apply -f x.yaml", "fnm use 20",
		"pnpm --filter fs build", "pixi install", "mise install", "codex -c model=gpt-5",
	} {
		if r, err := Understand(text, sys); err == nil {
			t.Errorf("%s: %+v", text, r.Servers)
		}
	}
}

// A server after a pipe, as in guides that test one, used to be refused because it "starts no server".
// An installer in a pipe does not hide a server.
func TestServersBehindAPipe(t *testing.T) {
	understands(t, disk{}.system(every...), [][2]string{
		{`echo '{"id": 1}' | npx -y fs-mcp`, "error: Only a shell understands |"},
		{"npx -y fs-mcp\necho '{\"id\": 1}' | npx -y fs-mcp", "npx -y fs-mcp | npm fs-mcp | fs"},
		{"curl -sSf https://fs.example/install.sh | sudo sh -s -- -y\nnpx -y fs-mcp", "npx -y fs-mcp | npm fs-mcp | fs"},
		{"cat fs.json | jq .", `error: The command "cat fs.json" starts no server for goated`},
	})
}

// For "python -m build" the advice used to be "uvx build", and for "uv python install 3.12" it was "uvx
// 3.12".
func TestOnlyAPackageIsRunInstead(t *testing.T) {
	for text, want := range map[string]string{
		"go install example.org/fs-mcp@latest": "go run example.org/fs-mcp@latest", "go install ./...": "", "dotnet tool install -g Fs.Mcp": "dnx Fs.Mcp --yes", "dotnet tool restore": "",
		"python -m build": "", "uv python install 3.12": "", "uv sync --extra dev": "", "uv build fs": "",
		"python -m pip install fs-mcp": "uvx fs-mcp", "uv tool install fs-mcp": "uvx fs-mcp", "uv pip install fs-mcp": "uvx fs-mcp", "uv add fs-mcp": "uvx fs-mcp",
	} {
		var p *Problem
		if _, err := Understand(text, disk{}.system(every...)); !errors.As(err, &p) || p.Detail != want {
			t.Errorf("%s: %+v", text, p)
		}
	}
}

// For a program that an earlier line installs, the advice was to run a package of npm or PyPI with that
// name.
func TestTheCommandThatInstallsAMissingProgram(t *testing.T) {
	for text, want := range map[string]string{
		"cargo install fs-mcp\nfs-mcp ~/x":                          "cargo install fs-mcp",
		"brew install acme/tap/fs-mcp\nclaude mcp add fs -- fs-mcp": "brew install acme/tap/fs-mcp",
		"mkdir x\nfs-mcp": "",
		"fs-mcp":          "",
	} {
		var p *Problem
		if _, err := Understand(text, disk{}.system(every...)); !errors.As(err, &p) || p.Kind != NoProgram || p.Detail != want {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
	}
}
