package diagnose

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// pythonModule keeps only the top-level module.
func pythonModule(_ Facts, m []string, d *Diagnosis) bool {
	d.Args.Subject, _, _ = strings.Cut(m[1], ".")
	return true
}

// moduleToRun keeps the full name that follows -m. It skips a package that is installed but cannot
// be run.
func moduleToRun(_ Facts, m []string, _ *Diagnosis) bool {
	return !strings.HasSuffix(m[1], ".__main__")
}

// place determines where to install a missing Python module, and sets the commands that install it
// there. The target is the virtual environment that runs the server, or the one beside its script,
// which the commands create. No more is needed only if goated runs the server in that environment.
func (f Facts) place(d *Diagnosis) {
	python, dir := f.python(), f.Folder
	own := python != "" && f.exists(filepath.Join(filepath.Dir(filepath.Dir(python)), "pyvenv.cfg"))
	switch {
	case programOf(f.Program) == "uvx":
		*d = Diagnosis{Cause: LibraryUndeclared, Args: Args{Subject: d.Args.Subject, Text: pipNames[d.Args.Subject]}}
		return
	case f.Venv:
	case f.runsModule(d.Args.Subject): // most packages have the name of their module, but not all
		d.Cause, d.Args.Page = ModuleToRun, pageOf(d.Args.Subject)
		if own {
			d.Args.Text = python
		}
		return
	case own:
		d.Cause = ModuleEnvironment
	case python == f.Program && python != "" && f.Script != "":
		d.Cause = ModuleOfCommand
	case python == "" && slices.ContainsFunc(strings.Fields(f.shebang()), isPython): // env found it
		d.Cause, python, dir = ModuleOfProgram, "python3", filepath.Dir(f.Program)
	default:
		d.Cause, python = ModuleElsewhere, ""
	}
	want := f.packagesFor(d.Args.Subject, dir)
	if want == nil { // only the server names the module: goated never builds a command from a server's words
		d.Args.Page, d.Args.Heard = pageOf(d.Args.Subject), true
	}
	venv := filepath.Join(dir, ".venv")
	inside := filepath.Join(venv, "bin", "python3")
	if f.Machine.Windows {
		inside = filepath.Join(venv, "Scripts", "python.exe")
	}
	if d.Cause == ModuleOfCommand || d.Cause == ModuleOfProgram {
		d.Args.Text = inside
	}
	if want == nil || python == "" {
		return
	}
	d.Args.Dir = dir
	if d.Cause != ModuleEnvironment && !strings.HasPrefix(python, venv+string(filepath.Separator)) {
		d.Args.Commands = [][]string{{python, "-m", "venv", venv}}
		python = inside
	}
	d.Args.Commands = append(d.Args.Commands, slices.Concat([]string{python, "-m", "pip", "install"}, want))
}

// runsModule reports whether an argument is -m and the next one is the module.
func (f Facts) runsModule(module string) bool {
	for i, arg := range f.Args[min(1, len(f.Args)):] {
		if arg == module && f.Args[i] == "-m" {
			return true
		}
	}
	return false
}

// pageOf returns the URL of the package that has the module's name.
func pageOf(module string) string {
	name, _, _ := strings.Cut(module, ".")
	return "https://pypi.org/project/" + url.PathEscape(name) + "/"
}

// packagesFor returns pip's arguments that install a module in a folder, or nil if they are unknown.
func (f Facts) packagesFor(module, dir string) []string {
	if f.exists(filepath.Join(dir, "requirements.txt")) {
		return []string{"-r", "requirements.txt"}
	}
	if name, known := pipNames[module]; known {
		return []string{name}
	}
	return nil
}

// python returns the interpreter that runs the server. This is its program, or the path in the
// first line of its program. It is empty if neither is a Python.
func (f Facts) python() string {
	words := strings.Fields(f.shebang())
	for _, path := range append([]string{f.Program}, words[:min(1, len(words))]...) {
		if isPython(path) {
			return path
		}
	}
	return ""
}

// shebang returns the first line of the program without #!, or "" if it has none.
func (f Facts) shebang() string {
	line, _, _ := strings.Cut(string(f.read(f.Program)), "\n")
	if rest, ok := strings.CutPrefix(line, "#!"); ok {
		return rest
	}
	return ""
}

// isPython reports whether the name of a program is that of a Python interpreter.
func isPython(path string) bool { return strings.HasPrefix(programOf(path), "python") }

// programOf returns the name of a program without the .exe extension.
func programOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".exe") }
