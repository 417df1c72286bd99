package diagnose

import (
	"bytes"
	"path/filepath"
	"strings"
)

// interpreter is about scripts that Python, Node or the Go compiler rejects.
func interpreter(f Facts, d *Diagnosis) bool {
	return apply(missingModules, f, d) || mistake(f, d) || apply(unopenedScripts, f, d)
}

// The first group is the module, the package or the script.
var (
	missingModules = []rule{
		{pattern(`(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)'?`), "", PythonModule, pythonModule},
		{pattern(`Cannot find (?:module|package) '([^']+)'`), "", NodePackage, nodePackage},
		{pattern(`(?:cannot find module providing package|no required module provides package|package) ([\w./-]+\.[\w./-]+)(?:;|:| is not in)`), ".go", GoPackage, goPackage},
	}
	unopenedScripts = []rule{
		{pattern(`can't open file '([^']+)'[^\n]*Errno 13`), "", ScriptUnreadable, unreadable},
		{pattern(`can't open file '([^']+)'`), "", ScriptUnopened, nil},
	}
)

func unreadable(f Facts, m []string, d *Diagnosis) bool {
	d.Args.Commands = f.chmod("u+r", m[1])
	return true
}

func goPackage(f Facts, m []string, d *Diagnosis) bool {
	d.Args.Dir, d.Args.Commands = f.Folder, [][]string{{"go", "get", m[1]}}
	return true
}

// pipNames are the packages whose names differ from those of their modules.
var pipNames = map[string]string{
	"mcp": "mcp[cli]", "yaml": "pyyaml", "cv2": "opencv-python", "PIL": "pillow", "dotenv": "python-dotenv", "bs4": "beautifulsoup4",
	"sklearn": "scikit-learn", "dateutil": "python-dateutil", "git": "gitpython", "psycopg2": "psycopg2-binary", "serial": "pyserial",
}

// pythonModule installs the module into the virtual environment beside the
// script, which it makes if the script does not run in it yet.
func pythonModule(f Facts, m []string, d *Diagnosis) bool {
	module, _, _ := strings.Cut(m[1], ".")
	d.Args.Subject, d.Args.Dir = module, f.Folder
	want := []string{module}
	if name, ok := pipNames[module]; ok {
		want[0] = name
	}
	if f.exists(filepath.Join(f.Folder, "requirements.txt")) {
		want = []string{"-r", "requirements.txt"}
	}
	python, venv := f.Program, filepath.Join(f.Folder, ".venv")
	if !strings.HasPrefix(python, venv+string(filepath.Separator)) {
		d.Args.Commands = append(d.Args.Commands, []string{python, "-m", "venv", venv})
		python = filepath.Join(venv, "bin", "python3")
		if f.Machine.Windows {
			python = filepath.Join(venv, "Scripts", "python.exe")
		}
	}
	d.Args.Commands = append(d.Args.Commands, append([]string{python, "-m", "pip", "install"}, want...))
	return true
}

// nodePackage tells a package that is not installed from a file that is not
// built.
func nodePackage(f Facts, m []string, d *Diagnosis) bool {
	name := m[1]
	root, hasRoot := f.packageRoot()
	d.Args.Dir = root
	if filepath.IsAbs(name) || strings.HasPrefix(name, ".") {
		d.Cause = BuildMissing
		if f.exists(f.Script) {
			d.Args.Open = f.Script
		}
		if bytes.Contains(f.read(filepath.Join(root, "package.json")), []byte(`"build"`)) {
			d.Args.Commands = [][]string{{"npm", "run", "build"}}
		}
		return true
	}
	d.Args.Commands = [][]string{{"npm", "install"}}
	if !hasRoot {
		parts := strings.SplitN(name, "/", 3)
		if name = parts[0]; strings.HasPrefix(name, "@") && len(parts) > 1 {
			name += "/" + parts[1]
		}
		d.Args.Commands = [][]string{{"npm", "install", name}}
	}
	return true
}

// packageRoot returns the nearest folder with a package.json; otherwise the
// script's folder and false.
func (f Facts) packageRoot() (string, bool) {
	for dir := f.Folder; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if f.exists(filepath.Join(dir, "package.json")) {
			return dir, true
		}
	}
	return f.Folder, false
}
