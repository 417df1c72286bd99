//go:build unix

package diagnose

import "testing"

// @heroku/mcp-server imports a library file without its extension. goated reported an incomplete
// installation of the package, and installed it again at each start.
func TestBrokenImportIsNoIncompleteInstall(t *testing.T) {
	t.Parallel()
	const store, modules = "/data/npx-1/packages", "/data/npx-1/packages/npm/_npx/90/node_modules"
	const file = modules + "/@modelcontextprotocol/sdk/dist/esm/server/mcp"
	lacking := "Fatal error in main(): Cannot find module '" + file + "' imported from " + modules + "/@heroku/mcp-server/dist/index.js"
	unnamed := "file://" + modules + "/weather/index.js:3\nimport { Cat } from 'animals';\n         ^^^\nSyntaxError: The requested module 'animals' does not provide an export named 'Cat'\n    at #asyncInstantiate (node:internal/modules/esm/module_job:319:21)"
	hidden := "Error [ERR_PACKAGE_PATH_NOT_EXPORTED]: Package subpath './cat' is not defined by \"exports\" in " + modules + "/animals/package.json imported from " + modules + "/weather/index.js"
	there := map[string]string{file + ".js": "", modules + "/weather/index.js": "import { Cat } from 'animals';"}
	for name, tt := range map[string]struct {
		output  string
		files   map[string]string
		want    Cause
		subject string
	}{
		"a file without its ending":   {lacking, there, ImportBroken, "@modelcontextprotocol/sdk/dist/esm/server/mcp"},
		"a file that is missing":      {lacking, map[string]string{}, InstallIncomplete, file},
		"a name that is not exported": {unnamed, there, ImportBroken, "animals"},
		"a path that is not exported": {hidden, there, ImportBroken, "animals"},
	} {
		f := Facts{Failure: StartFailed, Output: tt.output, Stderr: true, Machine: on(tt.files), Exit: Exit{Ended: true, Code: 1}, Command: Command{Program: "/usr/bin/npx", Store: store}}
		if d := Find(f); d.Cause != tt.want || d.Args.Subject != tt.subject || len(d.Args.Commands) > 0 {
			t.Errorf("%s: %+v", name, d)
		}
		f.Store, f.Program = "", "/usr/bin/node"
		if d := Find(f); d.Cause == ImportBroken {
			t.Errorf("%s: of the user's own script: %+v", name, d)
		}
	}
}

// mcp-server-sentry imports httpx, which its package does not declare. goated told the user to
// run uvx -m venv.
func TestUndeclaredLibraryOfUvx(t *testing.T) {
	t.Parallel()
	for output, want := range map[string][2]string{
		"ModuleNotFoundError: No module named 'httpx'":      {"httpx", "httpx"},
		"ModuleNotFoundError: No module named 'yaml.nodes'": {"yaml", "pyyaml"},
		"ModuleNotFoundError: No module named 'weather_x'":  {"weather_x", ""},
	} {
		f := Facts{Failure: StartFailed, Output: output, Stderr: true, Exit: Exit{Ended: true, Code: 1}, Command: Command{Program: "/usr/bin/uvx"}}
		if d := Find(f); d.Cause != LibraryUndeclared || d.Args.Subject != want[0] || d.Args.Text != want[1] || len(d.Args.Commands) > 0 {
			t.Errorf("%q: %+v", output, d)
		}
	}
}
