//go:build unix

package diagnose

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// npx treats a package as installed even if npx exited while it was writing the package's files.
// goated advised the user to build a package of somebody else.
func TestIncompleteInstall(t *testing.T) {
	t.Parallel()
	const store = "/data/npx-1/packages"
	trace := func(folder string) string {
		return "Error: Cannot find module '../helpers/isPropertyKey'\nRequire stack:\n- " + folder + "/node_modules/es-abstract/2023/Get.js"
	}
	f := Facts{Failure: StartFailed, Output: trace(store + "/npm/_npx/e54c"), Exit: Exit{Ended: true, Code: 1}, Command: Command{Program: "/usr/bin/npx", Store: store}}
	if d := Find(f); d.Cause != InstallIncomplete || d.Args.Subject != "../helpers/isPropertyKey" {
		t.Errorf("%+v", d)
	}
	f.Output = trace("/srv/project")
	if d := Find(f); d.Cause == InstallIncomplete {
		t.Errorf("elsewhere: %+v", d)
	}
}

// The diagnosis of a missing module has the commands that install it.
func TestMissingModules(t *testing.T) {
	t.Parallel()
	const noYAML = "ModuleNotFoundError: No module named 'yaml.nodes'"
	for _, tt := range []struct {
		name, script, output string
		machine              Machine
		want                 Cause
		subject, commands    string
	}{
		{"python", script, noYAML, Machine{}, PythonModule, "yaml",
			"[[/usr/bin/python3 -m venv /srv/.venv] [/srv/.venv/bin/python3 -m pip install pyyaml]]"},
		{"an older SDK", script, "AttributeError: 'Server' object has no attribute 'list_tools'", Machine{}, OlderLibrary, "", "[]"},
		{"its import", script, "ImportError: cannot import name 'McpError' from 'mcp.shared.exceptions'", Machine{}, OlderLibrary, "", "[]"},
		{"requirements", script, noYAML, on(map[string]string{"/srv/requirements.txt": ""}), PythonModule, "yaml",
			"[[/usr/bin/python3 -m venv /srv/.venv] [/srv/.venv/bin/python3 -m pip install -r requirements.txt]]"},
		{"node", "/srv/a.js", "Error: Cannot find module '@modelcontextprotocol/sdk/x.js'", Machine{}, NodePackage, "@modelcontextprotocol/sdk/x.js", "[[npm install @modelcontextprotocol/sdk]]"},
		{"node file of a package", "/srv/a.js", "Error: Cannot find module 'zod/v4'", Machine{}, NodePackage, "zod/v4", "[[npm install zod]]"},
		{"node with a manifest", "/srv/a.js", "Error: Cannot find module 'b'", on(map[string]string{"/package.json": "{}", "/srv/package.json": "{}"}), NodePackage, "b", "[[npm install]]"},
		{"a build", "/srv/a.js", "Error: Cannot find module './dist/x.js'", on(map[string]string{"/srv/package.json": `{"scripts": {"build": "tsc"}}`}), BuildMissing, "./dist/x.js", "[[npm run build]]"},
		{"no build", "/srv/a.js", "Error: Cannot find module './dist/x.js'", Machine{}, BuildMissing, "./dist/x.js", "[]"},
		{"go", "/srv/a.go", "a.go:3:8: no required module provides package a.test/b; to add it:", Machine{}, GoPackage, "a.test/b", "[[go mod tidy]]"},
		{"go in python", script, "no required module provides package a.test/b; to add it:", Machine{}, EndedSilently, "", "[]"},
		{"unreadable", script, "python3: can't open file '/srv/server.py': [Errno 13] Permission denied", Machine{}, ScriptUnreadable, script, "[[chmod u+r /srv/server.py]]"},
		{"unopened", script, "python3: can't open file '/srv/server.py': [Errno 2] No such file", Machine{}, ScriptUnopened, script, "[]"},
	} {
		d := Find(Facts{Failure: StartFailed, Command: Command{Script: tt.script, Folder: "/srv", Program: "/usr/bin/python3", Venv: true}, Output: tt.output, Machine: tt.machine, Exit: Exit{Ended: true, Code: 1}})
		if d.Cause != tt.want || d.Args.Subject != tt.subject || fmt.Sprint(d.Args.Commands) != tt.commands {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
}

// A server made goated suggest "pip install evil_typosquat", which the user runs outside the
// sandbox. A command never contains a name that only the server's output contains.
func TestNoCommandIsBuiltFromAServersWords(t *testing.T) {
	t.Parallel()
	for output, page := range map[string]string{
		"ModuleNotFoundError: No module named 'evil_typosquat'":                         "https://pypi.org/project/evil_typosquat/",
		"Error: Cannot find module '@evil/typosquat/x'":                                 "https://www.npmjs.com/package/@evil/typosquat",
		"a.go:3:8: no required module provides package evil.test/typosquat; to add it:": "",
		"python3: can't open file '/home/ada/typosquat': [Errno 13] Permission denied":  "",
	} {
		for _, s := range []string{script, "/srv/a.js", "/srv/a.go"} {
			d := Find(Facts{Failure: StartFailed, Command: Command{Script: s, Folder: "/srv", Program: "/usr/bin/python3"}, Output: output, Exit: Exit{Ended: true, Code: 1}})
			if text := fmt.Sprint(d.Args.Commands); strings.Contains(text, "typosquat") {
				t.Errorf("%q suggests %s", output, text)
			}
			if d.Args.Heard && d.Args.Page != page {
				t.Errorf("%q opens %s", output, d.Args.Page)
			}
		}
	}
}

// If a file of the project is missing, the action opens the script, provided that the script exists.
func TestMissingBuildOpensTheScript(t *testing.T) {
	t.Parallel()
	f := Facts{Failure: StartFailed, Command: Command{Script: "/srv/a.js", Folder: "/srv"}, Output: "Error: Cannot find module './dist/x.js'"}
	if d := Find(f); d.Args.Open != "" {
		t.Errorf("opens %q, which does not exist", d.Args.Open)
	}
	f.Machine = on(map[string]string{"/srv/a.js": ""})
	if d := Find(f); d.Args.Open != "/srv/a.js" {
		t.Errorf("opens %q", d.Args.Open)
	}
}

// In the script's own virtual environment, only the module is installed.
func TestModuleInVirtualEnvironment(t *testing.T) {
	t.Parallel()
	d := Find(Facts{Failure: StartFailed, Command: Command{Script: script, Folder: "/srv", Program: "/srv/.venv/bin/python3", Venv: true}, Output: "No module named 'httpx'\nImportError: No module named httpx"})
	if got := fmt.Sprint(d.Args.Commands); got != "[[/srv/.venv/bin/python3 -m pip install httpx]]" {
		t.Error(got)
	}
}

// Type annotations in a TypeScript file are not mistakes. goated advised the user to fix the first
// one.
func TestTypeScriptUnderAnOlderNode(t *testing.T) {
	t.Parallel()
	const output = "/srv/a.ts:3\nf((l: string) => {\n    ^\n\nSyntaxError: Unexpected token ':'\n    at wrapSafe (node:internal/modules/cjs/loader:1:1)\n\nNode.js v"
	for version, want := range map[string]Cause{"20.20.2": TypeScriptUnknown, "22.9.0": TypeScriptUnknown, "22.18.0": SyntaxError, "24.1.0": SyntaxError} {
		f := Facts{Failure: StartFailed, Command: Command{Script: "/srv/a.ts", Folder: "/srv"}, Output: output + version, Machine: on(map[string]string{"/srv/a.ts": ""}), Exit: Exit{Ended: true, Code: 1}}
		if d := Find(f); d.Cause != want || want == TypeScriptUnknown && d.Args.Subject != version {
			t.Errorf("%s: %+v", version, d)
		}
		f.Script = "/srv/a.js"
		if d := Find(f); d.Cause == TypeScriptUnknown {
			t.Errorf("%s: a script of JavaScript: %+v", version, d)
		}
	}
}

// In a module, the same Node versions do not know the file extension. goated reported that the
// server ended by itself.
func TestTypeScriptModuleUnderAnOlderNode(t *testing.T) {
	t.Parallel()
	const output = "node:internal/modules/esm/get_format:189\n  throw new ERR_UNKNOWN_FILE_EXTENSION(ext, filepath);\n        ^\n\nTypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension \"%s\" for /srv/a%[1]s\n    at defaultGetFormat (node:internal/modules/esm/get_format:232:36) {\n  code: 'ERR_UNKNOWN_FILE_EXTENSION'\n}\n\nNode.js v%s"
	for _, tt := range []struct {
		ext, version string
		want         Cause
	}{
		{".ts", "20.20.2", TypeScriptUnknown}, {".mts", "20.20.2", TypeScriptUnknown}, {".ts", "22.17.1", TypeScriptUnknown},
		{".ts", "22.18.0", EndedWithOutput}, {".txt", "20.20.2", EndedWithOutput},
	} {
		f := Facts{Failure: StartFailed, Stderr: true, Command: Command{Script: "/srv/a" + tt.ext, Folder: "/srv"}, Output: fmt.Sprintf(output, tt.ext, tt.version), Exit: Exit{Ended: true, Code: 1}}
		if d := Find(f); d.Cause != tt.want || tt.want == TypeScriptUnknown && d.Args.Subject != tt.version {
			t.Errorf("%s, %s: %+v", tt.ext, tt.version, d)
		}
	}
}

// An import in a CommonJS script is a syntax error with a specific remedy.
func TestImportInAScript(t *testing.T) {
	t.Parallel()
	const output = "/srv/a.js:1\nimport x from 'x'\n^^^^^^\n\nSyntaxError: Cannot use import statement outside a module\n    at wrapSafe (node:internal/modules/cjs/loader:1:1)"
	f := Facts{Failure: StartFailed, Command: Command{Script: "/srv/a.js", Folder: "/srv"}, Output: output, Machine: on(map[string]string{"/srv/a.js": ""})}
	if d := Find(f); d.Cause != ImportSyntax || d.Args.Subject != "a.js:1" || d.Args.Open != "/srv/a.js" {
		t.Errorf("%+v", d)
	}
	f.Machine = Machine{} // the file does not exist: the script generated the code
	if d := Find(f); d.Cause == ImportSyntax {
		t.Errorf("%+v", d)
	}
}

// chroma-mcp comes with a library that imports a name that the installed pydantic no longer has.
// goated sent the user to the first line of uvx's script. A name that is missing in a module of the
// script itself is a mistake in that module.
func TestLibrariesThatDoNotFit(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]Cause{
		"/x/lib/python3.11/site-packages/pydantic/_internal/_typing_extra.py": LibraryMismatch,
		"/srv/pydantic.py": UncaughtError,
	} {
		f := Facts{Failure: StartFailed, Err: errors.New("exit status 1"), Command: Command{Script: script}, Exit: Exit{Ended: true, Code: 1}, Stderr: true, Machine: on(map[string]string{script: ""})}
		f.Output = "Traceback (most recent call last):\n  File \"" + script + "\", line 6, in <module>\nImportError: cannot import name 'old' from 'pydantic._internal' (" + path + ")"
		if d := Find(f); d.Cause != want || want == LibraryMismatch && d.Args.Subject != "pydantic" {
			t.Errorf("%s: %+v", path, d)
		}
	}
}
