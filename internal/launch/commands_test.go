package launch

import (
	"errors"
	"testing"
)

// Smithery's program sets up other clients, but starts servers with "run".
func TestSmitheryRuns(t *testing.T) {
	sys := disk{}.system(every...)
	for _, c := range []struct{ text, want string }{
		{"npx -y @smithery/cli run @acme/fs --key k", "npx -y @smithery/cli run @acme/fs --key k | npm @smithery/cli | fs"},
		{"npx -y @smithery/cli@latest run fs-mcp --config '{}'", "npx -y @smithery/cli@latest run fs-mcp --config {} | npm @smithery/cli | fs"},
		{"bunx @smithery/cli run @acme/fs", "bunx @smithery/cli run @acme/fs | npm @smithery/cli | fs"},
		{`{"mcpServers": {"x": {"command": "npx", "args": ["-y", "@smithery/cli@latest", "run", "@acme/fs"]}}}`, "npx -y @smithery/cli@latest run @acme/fs | npm @smithery/cli | x"},
		{`{"mcpServers": {"x": {"command": "cmd", "args": ["/c", "npx", "-y", "@smithery/cli@1.2.3", "run", "@acme/fs"]}}}`, "npx -y @smithery/cli@1.2.3 run @acme/fs | npm @smithery/cli 1.2.3 | x"},
	} {
		says(t, c.text, c.want, sys)
	}
	for _, text := range []string{"npx -y @smithery/cli install @acme/fs --client claude", "npx @smithery/cli@latest mcp add fs", "bunx @smithery/cli list clients", "npx -y @smithery/cli"} {
		_, err := Understand(text, sys)
		if p := (*Problem)(nil); !errors.As(err, &p) || p.Kind != Configures {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Only docker run and docker container run start an image. The words of other commands do not change.
func TestOnlyDockerRunIsAnImage(t *testing.T) {
	sys := disk{}.system(every...)
	for _, c := range []struct{ text, want string }{
		{"docker mcp gateway run", "docker mcp gateway run | installed docker | docker"},
		{"docker mcp gateway run --servers fs -e K=v", "docker mcp gateway run --servers fs -e K=v | installed docker | docker"},
		{"docker exec -i box run", "docker exec -i box run | installed docker | docker"},
		{"docker --context run mcp gateway run", "docker --context run mcp gateway run | installed docker | docker"},
		{"docker run --rm acme/fs run", "docker run -i --rm acme/fs run | container acme/fs | fs !4 -i"},
		{"docker container run --rm acme/fs", "docker container run -i --rm acme/fs | container acme/fs | fs !4 -i"},
		{"docker --context far run --rm -i acme/fs", "docker --context far run --rm -i acme/fs | container acme/fs | fs"},
		{"docker --log-level=error container run --rm -i acme/fs", "docker --log-level=error container run --rm -i acme/fs | container acme/fs | fs"},
	} {
		says(t, c.text, c.want, sys)
	}
}

// "docker compose run" used to count as a line that only installs, and "up" as an image.
func TestDockerComposeStartsServers(t *testing.T) {
	sys := disk{}.system(every...)
	for _, text := range []string{"docker compose run --rm -T fs", "docker compose -f a.yml exec -T fs serve"} {
		says(t, text, text+" | installed docker | docker", sys)
	}
	_, err := Understand("docker compose up", sys)
	if p := (*Problem)(nil); !errors.As(err, &p) || p.Kind != StartsNothing || p.Detail != "" {
		t.Errorf("%v", err)
	}
}
