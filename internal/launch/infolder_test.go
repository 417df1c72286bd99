package launch

import (
	"slices"
	"strings"
	"testing"
)

// A server whose runner changes to a folder first used to get the name of a folder in the path, such as
// "to" in /path/to/server. Or it was refused, because the folder was taken for the verb. Its "." used
// to become the folder in which the user typed.
func TestRunnersThatGoToAFolder(t *testing.T) {
	sys := disk{"/work/main.go": "", "/work/index.ts": "", "/home/ada/weather/package.json": `{"name":"weather-mcp"}`}.system(append(slices.Clone(every), "make")...)
	for text, name := range map[string]string{
		"uv --directory /path/to/server run x":                             "x",
		"uv --directory=/path/to/server run server.py":                     "server",
		"uv run --directory /path/to/weather server.py":                    "weather",
		"uv --directory /path/to/server run mcp run server.py":             "server",
		`uv --directory 'C:\path\to\weather' run x`:                        "weather",
		"uv --directory /ABSOLUTE/PATH/TO/PARENT/FOLDER/server run sky.py": "sky",
		"poetry -C /path/to/weather run python server.py":                  "weather",
		"poetry --directory /path/to/server run python -m sky":             "sky",
		"npm --prefix /path/to/server start":                               "server",
		"npm run start --prefix /home/ada/weather":                         "weather",
		"pnpm -C /path/to/weather run dev":                                 "weather",
		"yarn --cwd /path/to/weather run mcp":                              "weather",
		"bun --cwd /path/to/server ./index.ts":                             "server",
		"bun --cwd=/path/to/weather run dev":                               "weather",
		"deno task --cwd /path/to/weather start":                           "weather",
		"deno run -A /path/to/server/main.ts":                              "server",
		"go -C /path/to/server run .":                                      "server",
		"go run -C /path/to/weather ./cmd/x":                               "weather",
		"cargo run --manifest-path /path/to/weather/Cargo.toml":            "weather",
		"make -C /path/to/weather run":                                     "weather",
	} {
		r, err := Understand(text, sys)
		if err != nil || len(r.Servers) != 1 || r.Servers[0].Name != name {
			t.Errorf("%s: %+v, %v", text, r.Servers, err)
			continue
		}
		if got := strings.Join(r.Servers[0].Words(), " "); got != strings.ReplaceAll(text, "'", "") || r.Servers[0].Dir != "" {
			t.Errorf("%s starts %s in %q", text, got, r.Servers[0].Dir)
		}
	}
	for _, text := range []string{"npm --prefix /path/to/weather install", "make -C /path/to/weather build", "poetry -C /path/to/weather install"} {
		if r, err := Understand(text, sys); err == nil {
			t.Errorf("%s: %+v", text, r.Servers)
		}
	}
}

// A runner's folder is relative to the folder in which the user typed, if there is one.
func TestTheFolderOfARunnerIsAbsolute(t *testing.T) {
	understands(t, disk{"/work/sky/package.json": `{"name": "sky-mcp"}`}.system(every...), [][2]string{
		{"uv --directory sky run sky", "uv --directory /work/sky run sky | file /work/sky | sky"},
		{"uv run --directory=sky sky", "uv run --directory=/work/sky sky | file /work/sky | sky"},
		{"go run -C sky ./cmd/sky", "go run -C /work/sky ./cmd/sky | file /work/sky | sky"},
	})
}
