package launch

import "testing"

// The runners of other languages name the package that they start.
func TestOriginsOfOtherRunners(t *testing.T) {
	sys := disk{"/work/server.java": "", "/work/Server.csproj": ""}.system("deno", "dnx", "dotnet", "nix", "jbang", "npx")
	understands(t, sys, [][2]string{
		{"deno run -A jsr:@acme/fs-mcp@1.2.3/server", "deno run -A jsr:@acme/fs-mcp@1.2.3/server | jsr @acme/fs-mcp 1.2.3 | fs"},
		{"deno run --allow-net jsr:/@acme/fs-mcp", "deno run --allow-net jsr:/@acme/fs-mcp | jsr @acme/fs-mcp | fs"},
		{"deno run -A npm:fs-mcp", "deno run -A npm:fs-mcp | npm fs-mcp | fs"},
		{"dnx Acme.Files.Mcp@1.0.0-beta --yes", "dnx Acme.Files.Mcp@1.0.0-beta --yes | nuget Acme.Files.Mcp 1.0.0-beta | Acme-Files"},
		{"dnx --source https://api.nuget.org/v3/index.json Acme.Files --version 2.0 --yes -- --verbose", "dnx --source https://api.nuget.org/v3/index.json Acme.Files --version 2.0 --yes -- --verbose | nuget Acme.Files 2.0 | Acme-Files"},
		{"dotnet tool exec Acme.Files --yes", "dotnet tool exec Acme.Files --yes | nuget Acme.Files | Acme-Files"},
		{"nix run github:acme/fs-mcp/v1.2#stdio -- --root /work", "nix run github:acme/fs-mcp/v1.2#stdio -- --root /work | git acme/fs-mcp v1.2 | fs"},
		{"nix --extra-experimental-features 'nix-command flakes' run github:acme/fs-mcp", "nix --extra-experimental-features nix-command flakes run github:acme/fs-mcp | git acme/fs-mcp | fs"},
		{"nix run nixpkgs#mcp-nixos", "nix run nixpkgs#mcp-nixos | installed mcp-nixos | nixos"},
		{"nix run git+https://git.example/acme/fs-mcp?ref=main", "nix run git+https://git.example/acme/fs-mcp?ref=main | git https://git.example/acme/fs-mcp main | fs"},
		{"jbang jdbc@quarkiverse/quarkus-mcp-servers jdbc:h2:mem:t", "jbang jdbc@quarkiverse/quarkus-mcp-servers jdbc:h2:mem:t | git quarkiverse/jdbc | jdbc"},
		{"jbang --quiet io.quarkiverse.mcp.servers:fs-mcp:1.0.0.Beta1:runner /work", "jbang --quiet io.quarkiverse.mcp.servers:fs-mcp:1.0.0.Beta1:runner /work | maven io.quarkiverse.mcp.servers:fs-mcp 1.0.0.Beta1 | fs"},
		{"dotnet build\ndnx Acme.Files", "dnx Acme.Files | nuget Acme.Files | Acme-Files"},
		{"dotnet tool install -g Acme.Files", `error: The command "dotnet tool install -g Acme.Files" installs a server but does not start it`},
	})
}
