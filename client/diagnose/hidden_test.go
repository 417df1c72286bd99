package diagnose

import (
	"testing"

	"goated/internal/sandbox"
)

// goated reported a module as not installed although only the sandbox hid it. The diagnosis is the
// permission that the server lacks.
func TestHiddenFileIsAPermission(t *testing.T) {
	read := func(path string) sandbox.Permission { return sandbox.Permission{Kind: sandbox.ToRead, Path: path} }
	for _, tt := range []struct {
		output, file string
		needs        []sandbox.Permission
		want         Cause
	}{
		{"ModuleNotFoundError: No module named 'mymod'", "/mods/mymod.py", []sandbox.Permission{read("/other"), read("/mods")}, AccessRefused},
		{"ModuleNotFoundError: No module named 'mymod.part'", "/mods/mymod", []sandbox.Permission{read("/mods")}, AccessRefused},
		{"ModuleNotFoundError: No module named 'mymod'", "/elsewhere/mymod.py", []sandbox.Permission{read("/mods")}, PythonModule},
		{"Error: Cannot find module 'pack'", "/mods/node_modules/pack", []sandbox.Permission{read("/mods")}, AccessRefused},
		{"FileNotFoundError: [Errno 2] No such file or directory: '/data/a.db'", "/data/a.db", []sandbox.Permission{read("/data")}, AccessRefused},
		{"FileNotFoundError: [Errno 2] No such file or directory: '/data/a.db'", "", []sandbox.Permission{read("/data")}, FileMissing},
	} {
		d := Find(Facts{
			Failure: StartFailed, Output: tt.output, Stderr: true, Exit: Exit{Ended: true, Code: 1}, Needs: tt.needs,
			Command: Command{Script: "/srv/a.py", Folder: "/srv", Venv: true}, Machine: Machine{Exists: func(path string) bool { return path == tt.file }},
		})
		if d.Cause != tt.want || tt.want == AccessRefused && d.Args.Permission != tt.needs[len(tt.needs)-1] {
			t.Errorf("%s: %q of %q, want %q", tt.output, d.Cause, d.Args.Subject, tt.want)
		}
	}
}
