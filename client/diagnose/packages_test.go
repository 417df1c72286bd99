package diagnose

import (
	"testing"

	"goated/internal/sandbox"
)

// uv creates a folder for another Python before it reports that a package does not exist. goated
// advised the user to let the server write ~/.local. For npm, it advised to run a script in a
// terminal.
func TestUninstallablePackages(t *testing.T) {
	t.Parallel()
	const uv = "error: No solution found when resolving tool dependencies\n  cause: "
	for name, tt := range map[string]struct {
		program, output string
		want            Cause
		subject, text   string
	}{
		"npm's package": {"npx", "npm error code E404\nnpm error 404 Not Found - GET https://registry.test/@a%2fb\nnpm error 404\nnpm error 404  The requested resource '@a/b@*' could not be found or you do not have permission to access it.", PackageUnknown, "@a/b", ""},
		"npm 8":         {"npx", "npm ERR! code E404\nnpm ERR! 404  'b@*' is not in this registry.", PackageUnknown, "b", ""},
		"npm's version": {"npx", "npm error code ETARGET\nnpm error notarget No matching version found for @a/b@99.1.\nnpm error notarget In most cases", VersionUnknown, "@a/b@99.1", ""},
		"no version":    {"npx", "npm error code ENOVERSIONS\nnpm error No versions available for @a/b\nnpm error A complete log", VersionUnknown, "@a/b", ""},
		"before a date": {"npx", "npm error code ETARGET\nnpm error notarget No matching version found for b@2.0.0 with a date before 1/1/2026.", VersionUnknown, "b@2.0.0", ""},
		"uv's package":  {"uvx", uv + "Because b-c was not found in the package registry and you require b-c, we can conclude that your requirements are unsatisfiable.", PackageUnknown, "b-c", ""},
		"older uv":      {"uvx", "  × No solution found when resolving tool dependencies:\n  ╰─▶ Because b-c was not found in the package\n      registry and you require b-c, we can\n      conclude that your requirements are unsatisfiable.", PackageUnknown, "b-c", ""},
		"uv's version":  {"uvx", uv + "Because there is no version of b==99 and you require b==99, we can conclude that your requirements are unsatisfiable.", VersionUnknown, "b==99", ""},
		"uv's Python":   {"uvx", uv + "Because the current Python version (3.11.2) does not satisfy Python>=3.12 and all versions of b depend on Python>=3.12, we can conclude that all versions of b cannot be used.", PythonVersion, ">=3.12", "3.11.2"},
		"pip's package": {"pipx", "ERROR: Could not find a version that satisfies the requirement b (from versions: none)\nERROR: No matching distribution found for b", PackageUnknown, "b", ""},
		"pip's version": {"pipx", "ERROR: Could not find a version that satisfies the requirement b==9 (from versions: 1.0, 1.1)", VersionUnknown, "b==9", ""},
	} {
		f := Facts{Failure: StartFailed, Output: tt.output, Command: Command{Program: "/usr/bin/" + tt.program}, Exit: Exit{Ended: true, Code: 1},
			Needs: []sandbox.Permission{{Kind: sandbox.ToWrite, Path: "/home/ada/.local"}}}
		if d := Find(f); d.Cause != tt.want || d.Args.Subject != tt.subject || d.Args.Text != tt.text {
			t.Errorf("%s: %+v", name, d)
		}
		f.Output, f.Needs[0] = tt.output+"\nhint: An index returned a 403 Forbidden error.", sandbox.Permission{Kind: sandbox.ToHost, Host: "registry.test"}
		if d := Find(f); d.Cause != HostRefused {
			t.Errorf("%s: of a registry that the sandbox refused: %+v", name, d)
		}
		f.Program = "/srv/server"
		if d := Find(f); d.Cause == tt.want {
			t.Errorf("%s: said by any program: %+v", name, d)
		}
	}
}

// A server may need version 1 of the Python SDK without declaring that to uvx. It gets that version
// at the next start. goated advised the user to change its command.
func TestOlderLibraryComesOnce(t *testing.T) {
	t.Parallel()
	const store = "/data/uvx-1/packages"
	f := Facts{Failure: StartFailed, Output: "ModuleNotFoundError: No module named 'mcp.server.fastmcp'", Machine: on(map[string]string{}),
		Command: Command{Program: "/usr/bin/uvx", Store: store}, Exit: Exit{Ended: true, Code: 1}}
	if d := Find(f); d.Cause != OlderInstalled {
		t.Errorf("%+v", d)
	}
	f.Machine = on(map[string]string{store + "/constraints.txt": "mcp<2"})
	if d := Find(f); d.Cause != OlderLibrary {
		t.Errorf("with version 1: %+v", d)
	}
	f.Machine, f.Program = on(map[string]string{}), "/usr/bin/python3"
	if d := Find(f); d.Cause != OlderLibrary {
		t.Errorf("of a script: %+v", d)
	}
}
