package diagnose

import (
	"fmt"
	"strings"
	"testing"

	"goated/internal/sandbox"
)

// goated offered to make a virtual environment for a program that is not a Python script. It made
// none for a server that already had one, and ignored the environment of the server's own Python.
func TestWhereAMissingModuleBelongs(t *testing.T) {
	t.Parallel()
	const output, heard = "ModuleNotFoundError: No module named 'httpx'", "ModuleNotFoundError: No module named 'of_nobody'"
	for _, tt := range []struct {
		c              Command
		line, output   string // the first line of the program; its output
		want           Cause
		text, commands string
	}{
		{Command{Program: "/usr/bin/python3", Script: script, Venv: true}, "", output, PythonModule, "", "[[/usr/bin/python3 -m venv /srv/.venv] [/srv/.venv/bin/python3 -m pip install httpx]]"},
		{Command{Program: "/usr/bin/python3", Script: script}, "", output, ModuleOfCommand, "/srv/.venv/bin/python3", "[[/usr/bin/python3 -m venv /srv/.venv] [/srv/.venv/bin/python3 -m pip install httpx]]"},
		{Command{Program: "/usr/bin/python3", Script: script}, "", heard, ModuleOfCommand, "/srv/.venv/bin/python3", "[]"},
		{Command{Program: "/env/bin/python3", Script: script}, "", output, ModuleEnvironment, "", "[[/env/bin/python3 -m pip install httpx]]"},
		{Command{Program: "/env/bin/python3"}, "", output, ModuleEnvironment, "", "[[/env/bin/python3 -m pip install httpx]]"},
		{Command{Program: "/usr/bin/python3"}, "", output, ModuleElsewhere, "", "[]"},
		{Command{Program: "/opt/okx"}, "#!/usr/bin/env python3", output, ModuleOfProgram, "/opt/.venv/bin/python3", "[[python3 -m venv /opt/.venv] [/opt/.venv/bin/python3 -m pip install httpx]]"},
		{Command{Program: "/opt/okx"}, "#!/env/bin/python3.12 -u", output, ModuleEnvironment, "", "[[/env/bin/python3.12 -m pip install httpx]]"},
		{Command{Program: "/opt/okx"}, "#!/usr/bin/python3", output, ModuleElsewhere, "", "[]"},
		{Command{Program: "/opt/okx"}, "#!/bin/sh", output, ModuleElsewhere, "", "[]"},
		{Command{Program: "/opt/okx"}, "\x7fELF", output, ModuleElsewhere, "", "[]"},
		{Command{Program: "/usr/bin/uv", Script: script}, "", output, ModuleElsewhere, "", "[]"},
		{Command{Program: "/usr/bin/uvx"}, "", output, LibraryUndeclared, "httpx", "[]"},
	} {
		tt.c.Folder = "/srv"
		d := Find(Facts{Failure: StartFailed, Command: tt.c, Output: tt.output, Exit: Exit{Ended: true, Code: 1}, Machine: on(map[string]string{tt.c.Program: tt.line + "\n", "/env/pyvenv.cfg": ""})})
		if d.Cause != tt.want || d.Args.Text != tt.text || fmt.Sprint(d.Args.Commands) != tt.commands || d.Args.Heard != strings.Contains(tt.output, "nobody") {
			t.Errorf("%+v, %q: %+v", tt.c, tt.line, d)
		}
	}
}

// For python3 -m with a missing module, goated asked for the working directory, because Python
// looks there first.
func TestModuleToRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		output, module, program string
		want                    Cause
		subject                 string
	}{
		{"/usr/bin/python3: No module named mcp_server_nosuch", "mcp_server_nosuch", "/usr/bin/python3", ModuleToRun, "mcp_server_nosuch"},
		{"/usr/bin/python3.12: Error while finding module specification for 'mcp.nosuch' (ModuleNotFoundError: No module named 'mcp')", "mcp.nosuch", "/usr/bin/python3.12", ModuleToRun, "mcp.nosuch"},
		{"/env/bin/python: No module named mcp_server_nosuch", "mcp_server_nosuch", "/env/bin/python", ModuleToRun, "mcp_server_nosuch"},
		{"/usr/bin/python3: No module named json.__main__; 'json' is a package and cannot be directly executed", "json", "/usr/bin/python3", AccessRefused, "/work"},
		{"/usr/bin/python3: No module named mcp_server_hidden", "mcp_server_hidden", "/usr/bin/python3", AccessRefused, "/work"},
	} {
		d := Find(Facts{Failure: StartFailed, Output: tt.output, Stderr: true, Exit: Exit{Ended: true, Code: 1}, Needs: []sandbox.Permission{{Kind: sandbox.ToRead, Path: "/work"}},
			Command: Command{Program: tt.program, Args: []string{"-m", tt.module}, Folder: "/work"}, Machine: on(map[string]string{"/env/pyvenv.cfg": "", "/work/mcp_server_hidden": ""})})
		if d.Cause != tt.want || d.Args.Subject != tt.subject || len(d.Args.Commands) != 0 || d.Args.Heard || (d.Args.Text == "") == strings.HasPrefix(tt.program, "/env") {
			t.Errorf("%s: %+v", tt.output, d)
		}
	}
}

// An argument that has the name of the missing module is the module to run only after -m. goated otherwise
// told the user to correct that argument.
func TestArgumentWithTheNameOfAModule(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]Cause{"server.py httpx": ModuleOfCommand, "server.py --backend httpx": ModuleOfCommand, "-m httpx": ModuleToRun, "-u -m httpx": ModuleToRun} {
		c := Command{Program: "/usr/bin/python3", Args: strings.Fields(args), Folder: "/srv"}
		if strings.HasPrefix(args, "server.py") {
			c.Script = script
		}
		d := Find(Facts{Failure: StartFailed, Command: c, Output: "ModuleNotFoundError: No module named 'httpx'", Exit: Exit{Ended: true, Code: 1}, Machine: on(nil)})
		if d.Cause != want {
			t.Errorf("python3 %s: %v, want %v", args, d.Cause, want)
		}
	}
}
