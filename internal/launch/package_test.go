package launch

import "testing"

// The options of a runner may precede or follow its subcommand, and the name of a package has several
// forms.
func TestPackagesOfRunners(t *testing.T) {
	understands(t, disk{}.system(append(every, "pnpm", "yarn", "npm")...), [][2]string{
		{"pnpm --package=a-mcp dlx b", "pnpm --package=a-mcp dlx b | npm a-mcp | a"},
		{"pnpm --silent dlx a-mcp@1.2.3", "pnpm --silent dlx a-mcp@1.2.3 | npm a-mcp 1.2.3 | a"},
		{"yarn -q dlx a-mcp", "yarn -q dlx a-mcp | npm a-mcp | a"},
		{"npm -y exec --package=a-mcp -- b", "npm -y exec --package=a-mcp -- b | npm a-mcp | a"},
		{"npx -c 'a-mcp --stdio'", "npx -c a-mcp --stdio | npm a-mcp | a"},
		{"npx -p a-mcp@2 -c 'b --stdio'", "npx -p a-mcp@2 -c b --stdio | npm a-mcp 2 | a"},
		{"npx -y npm:a-mcp@1", "npx -y npm:a-mcp@1 | npm a-mcp 1 | a"},
		{"deno run -A npm:a-mcp@1.0.0", "deno run -A npm:a-mcp@1.0.0 | npm a-mcp 1.0.0 | a"},
		{"deno run --allow-net npm:@x/y", "deno run --allow-net npm:@x/y | npm @x/y | y"},
		{"deno run -A main.ts npm:x", "deno run -A main.ts npm:x | file /work/main.ts | work !10 /work/main.ts"},
		{"docker run -i --rm mcp/time@sha256:abc", "docker run -i --rm mcp/time@sha256:abc | container mcp/time sha256:abc | time"},
		{"docker run -i --rm localhost:5000/x/y:2", "docker run -i --rm localhost:5000/x/y:2 | container localhost:5000/x/y 2 | y"},
	})
}
