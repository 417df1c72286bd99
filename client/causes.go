package client

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"goated/internal/sandbox"
)

// system is what the operating system said to starting it.
func (c circumstances) system(d *Diagnosis) bool {
	var missing *exec.Error
	switch {
	case errors.As(c.err, &missing) && errors.Is(missing, exec.ErrNotFound):
		c.missing(d, missing.Name)
	case c.err.Kind == ErrNotFound:
		d.Cause, d.Detail = CauseFile, c.path
		d.Why = c.path + " is not there any more."
		d.Remedy = "Put it back, or connect the server from where it is now."
	case errors.Is(c.err, errNobody), errors.Is(c.err, errUnconfined):
		d.Cause = CauseSandbox
		d.Why = "This system can't sandbox it, so it could do whatever you may."
		d.Remedy = "Allow it to run without a sandbox if you trust it."
	case errors.Is(c.err, errGivenUp):
		d.Why = "Its start was given up before it was there."
		d.Remedy = "Restart it."
	case c.err.Kind != ErrStart:
		return false
	case errors.Is(c.err, syscall.ENOEXEC):
		d.Cause, d.Detail = CauseFormat, c.run.Program
		d.Why = "The system can't run this program: it is for another kind of machine, or no program."
		d.Remedy = "Get the program for this machine."
	case errors.Is(c.err, fs.ErrPermission) && c.ofProgram():
		d.Cause, d.Detail = CausePermission, c.run.Program
		d.Why = "You are not allowed to run " + c.run.Program + "."
		d.Remedy = "Give yourself permission to read the script, and to run it."
		if runtime.GOOS != "windows" {
			d.Mend = [][]string{{"chmod", "u+rx", c.run.Program}}
		}
	case errors.Is(c.err, fs.ErrNotExist) && exists(c.run.Program):
		d.Cause, d.Detail = CauseFormat, c.run.Program
		d.Why = "The program names an interpreter that is not there, in its first line or as its loader."
		d.Remedy = "Install that interpreter, or correct the first line."
		d.Open = c.run.Program
	case errors.Is(c.err, fs.ErrNotExist):
		d.Cause, d.Detail = CauseFile, c.run.Program
		d.Why = c.run.Program + " is not there any more."
		d.Remedy = "Check the path and try again."
	default:
		return false
	}
	return true
}

// missing is a program that is not on the search path.
func (c circumstances) missing(d *Diagnosis, program string) {
	from := sourceOf(program)
	d.Cause, d.Detail, d.Link = CauseInterpreter, program, from.page
	d.Why = "The program " + program + ", which runs such scripts, was not found."
	if c.found != "" {
		d.Cause, d.Found, d.Link = CausePath, c.found, ""
		d.Why = program + " is in " + c.found + ", which is not on the PATH that goated was started with."
		d.Remedy = "Have goated look there, too, or start it from a terminal where " + program + " runs."
		return
	}
	d.Remedy = "Install the interpreter"
	if argv := from.install(c.search); argv != nil {
		d.Mend = [][]string{argv}
	}
	if from.name != "" {
		d.Remedy = "Install " + from.name
	}
	if !c.login {
		d.Remedy += ", or start goated from a terminal where it is on the PATH"
	}
	d.Remedy += "."
}

// ofProgram reports whether the system's error is about the program.
func (c circumstances) ofProgram() bool {
	var path *os.PathError
	var look *exec.Error
	return errors.As(c.err, &look) || errors.As(c.err, &path) && path.Path == c.run.Program
}

// What interpreters say; the first group is the detail.
var (
	noPython  = pattern(`(?:ModuleNotFoundError|ImportError): No module named '?([\w.]+)'?`)
	noNode    = pattern(`Cannot find (?:module|package) '([^']+)'`)
	noGo      = pattern(`(?:cannot find module providing package|no required module provides package|package) ([\w./-]+\.[\w./-]+)(?:;|:| is not in)`)
	noScript  = pattern(`can't open file '([^']+)'([^\n]*)`)
	noFile    = pattern(`(?:No such file or directory: |ENOENT: no such file or directory, \w+ )'([^']+)'`)
	noMemory  = pattern(`heap out of memory|MemoryError|runtime: out of memory|Cannot allocate memory`)
	forbidden = pattern(`(?i)(?:permission denied|EACCES|EPERM|operation not permitted)[^'\n]*(?:'([^']+)')?`)
)

// pip names packages that are not called as their modules are.
var pip = map[string]string{
	"mcp": "mcp[cli]", "yaml": "pyyaml", "cv2": "opencv-python", "PIL": "pillow", "dotenv": "python-dotenv", "bs4": "beautifulsoup4",
	"sklearn": "scikit-learn", "dateutil": "python-dateutil", "git": "gitpython", "psycopg2": "psycopg2-binary", "serial": "pyserial",
}

// interpreter is what Python, Node and Go say of a script that they can't run.
func (c circumstances) interpreter(d *Diagnosis) bool {
	if m := noPython().FindStringSubmatch(c.said); m != nil {
		module, _, _ := strings.Cut(m[1], ".")
		d.Cause, d.Detail, d.MendDir = CauseModule, module, c.dir()
		d.Why = "The Python module " + module + " is not installed."
		d.Remedy = "Install the Python module it names, best into a .venv folder beside the script: goated uses that one."
		c.install(d, module)
		return true
	}
	if m := noNode().FindStringSubmatch(c.said); m != nil {
		c.nodeModule(d, m[1])
		return true
	}
	if m := noGo().FindStringSubmatch(c.said); m != nil && filepath.Ext(c.path) == ".go" {
		d.Cause, d.Detail, d.MendDir = CauseModule, m[1], c.dir()
		d.Why = "The Go package " + m[1] + " is not in the script's module."
		d.Remedy = "Add the package to the module of the script's folder."
		d.Mend = [][]string{{"go", "get", m[1]}}
		return true
	}
	if c.mistake(d) {
		return true
	}
	if m := noScript().FindStringSubmatch(c.said); m != nil && strings.Contains(m[2], "Errno 13") {
		d.Cause, d.Detail = CausePermission, m[1]
		d.Why = "You are not allowed to read " + m[1] + "."
		d.Remedy = "Give yourself permission to read the script, and what it reads."
		if runtime.GOOS != "windows" {
			d.Mend = [][]string{{"chmod", "u+r", m[1]}}
		}
		return true
	}
	if m := noScript().FindStringSubmatch(c.said); m != nil {
		d.Cause, d.Detail = CauseFile, m[1]
		d.Why = "The script " + m[1] + " can't be opened."
		d.Remedy = "Check the path and try again."
		return true
	}
	return false
}

// install says how to install a Python module where the script finds it.
func (c circumstances) install(d *Diagnosis, module string) {
	name := module
	if other, ok := pip[module]; ok {
		name = other
	}
	want := []string{name}
	if exists(filepath.Join(d.MendDir, "requirements.txt")) {
		want = []string{"-r", "requirements.txt"}
	}
	python, own := c.run.Program, filepath.Join(d.MendDir, ".venv")
	if !strings.HasPrefix(python, own+string(filepath.Separator)) {
		d.Mend = append(d.Mend, []string{python, "-m", "venv", own})
		python = filepath.Join(own, "bin", "python3")
		if runtime.GOOS == "windows" {
			python = filepath.Join(own, "Scripts", "python.exe")
		}
	}
	d.Mend = append(d.Mend, append([]string{python, "-m", "pip", "install"}, want...))
}

// nodeModule tells a package that is not installed from a file that is not
// built.
func (c circumstances) nodeModule(d *Diagnosis, name string) {
	d.Detail, d.MendDir = name, c.dir()
	for dir := d.MendDir; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, "package.json")) {
			d.MendDir = dir
			break
		}
	}
	if filepath.IsAbs(name) || strings.HasPrefix(name, ".") {
		d.Cause = CauseFile
		if exists(c.path) {
			d.Open = c.path
		}
		d.Why = "The file " + name + " is missing."
		d.Remedy = "If the server is written in TypeScript, build it first: npm run build in its folder."
		if manifest, err := os.ReadFile(filepath.Join(d.MendDir, "package.json")); err == nil && bytes.Contains(manifest, []byte(`"build"`)) {
			d.Mend = [][]string{{"npm", "run", "build"}}
		}
		return
	}
	d.Cause = CauseModule
	d.Why = "The package " + name + " is not installed."
	d.Remedy = "Run npm install in the script's folder."
	d.Mend = [][]string{{"npm", "install"}}
	if !exists(filepath.Join(d.MendDir, "package.json")) {
		parts := strings.SplitN(name, "/", 3)
		if strings.HasPrefix(name, "@") && len(parts) > 1 {
			name = parts[0] + "/" + parts[1]
		} else {
			name = parts[0]
		}
		d.Mend = [][]string{{"npm", "install", name}}
	}
}

// refused is what the server's sandbox kept from it.
func (c circumstances) refused(d *Diagnosis) bool {
	if len(c.needs) == 0 {
		return false
	}
	need := c.needs[0]
	what := need.String()
	d.Cause, d.Detail = CausePermission, need.Path
	d.Remedy = "If you trust it with that, allow it to " + what + ", and start it again."
	switch need.Kind {
	case sandbox.ToHost:
		d.Cause, d.Detail = CauseNetwork, need.Host
	case sandbox.ToNetwork:
		d.Cause = CauseNetwork
		d.Remedy = "If you trust it with that, allow it the network and start it again."
	}
	d.Why = "It wants to " + what + ", which its sandbox does not allow."
	return true
}

// environment is what a script says of the world around it.
func (c circumstances) environment(d *Diagnosis) bool {
	if c.err.Kind != ErrStart && c.err.Kind != ErrExited && c.err.Kind != ErrConnectTimeout {
		return false
	}
	if portTaken().MatchString(c.said) {
		c.port(d)
		return true
	}
	if name := c.variable(); name != "" {
		d.Cause, d.Detail, d.Set = CauseVariable, name, name
		d.Why = "It wants the environment variable " + d.Detail + "."
		d.Remedy = "Set " + d.Detail + " in the server's environment, where you connect it."
		return true
	}
	if noMemory().MatchString(c.said) {
		d.Cause, d.Why = CauseMemory, "It ran out of memory."
		if c.memory > 0 {
			d.Why = fmt.Sprintf("It ran out of memory. Its sandbox gives it %d GiB.", c.memory>>30)
		}
		d.Remedy = "Close what you don't need, and start the server again."
		return true
	}
	if m := noFile().FindStringSubmatch(c.said); m != nil {
		d.Cause, d.Detail = CauseFile, m[1]
		d.Why = "The file " + m[1] + " is missing."
		d.Remedy = "Check the server's arguments, and that the file is there."
		return true
	}
	if c.refused(d) {
		return true
	}
	if m := forbidden().FindStringSubmatch(c.said); m != nil {
		d.Cause, d.Detail = CausePermission, m[1]
		d.Why = strings.ReplaceAll("It is not allowed to use "+d.Detail+".", "use .", "do what it wants to.")
		d.Remedy = "Give yourself permission to read the script, and what it reads."
		return true
	}
	return false
}
