// Package apps knows the applications of a Linux desktop: the desktop files of those that
// are installed (freedesktop.org Desktop Entry Specification), and the processes of those
// that run. It starts programs.
//
// It owns the processes that it starts, and waits for their end. It must not know of windows.
package apps

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// An Entry is an installed application.
type Entry struct {
	ID       string // the name of its desktop file without ".desktop", like "org.gnome.Calculator"
	Name     string // as menus show it
	Class    string // of its windows; empty: unknown
	Args     []string
	Dir      string // where it starts; empty: the present folder
	Terminal bool   // it needs a terminal
}

// Installed lists the installed applications, the user's own first. It leaves out applications
// that the user has hidden.
func Installed(getenv func(string) string) (out []Entry) {
	seen := make(map[string]bool)
	for _, dir := range folders(getenv) {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".desktop") {
				return nil
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return nil
			}
			id := strings.TrimSuffix(strings.ReplaceAll(rel, string(filepath.Separator), "-"), ".desktop")
			if seen[id] {
				return nil
			}
			seen[id] = true
			if text, err := os.ReadFile(path); err == nil {
				if e, err := Parse(id, string(text)); err == nil {
					out = append(out, e)
				}
			}
			return nil
		})
	}
	return out
}

// folders returns the folders of desktop files, the most important first.
func folders(getenv func(string) string) (out []string) {
	home := getenv("XDG_DATA_HOME")
	if home == "" && getenv("HOME") != "" {
		home = filepath.Join(getenv("HOME"), ".local", "share")
	}
	dirs := getenv("XDG_DATA_DIRS")
	if dirs == "" {
		dirs = "/usr/local/share:/usr/share"
	}
	for _, d := range append([]string{home}, strings.Split(dirs, ":")...) {
		if filepath.IsAbs(d) {
			out = append(out, filepath.Join(d, "applications"))
		}
	}
	return out
}

// ErrUnknown says that no application and no program has a name.
var ErrUnknown = errors.New("no application and no program has this name")

// errHidden is the error of a file that is not an application to show.
var errHidden = errors.New("it is not an application that can be started")

// Parse reads a desktop file.
func Parse(id, text string) (Entry, error) {
	e := Entry{ID: id}
	keys := make(map[string]string)
	group := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			group = line
		case group == "[Desktop Entry]":
			if k, v, ok := strings.Cut(line, "="); ok {
				keys[strings.TrimSpace(k)] = strings.TrimSpace(v)
			}
		}
	}
	if keys["Type"] != "Application" || keys["Hidden"] == "true" || keys["Exec"] == "" {
		return e, errHidden
	}
	e.Name, e.Class, e.Dir, e.Terminal = unescape(keys["Name"]), unescape(keys["StartupWMClass"]), unescape(keys["Path"]), keys["Terminal"] == "true"
	var err error
	e.Args, err = command(unescape(keys["Exec"]), e.Name)
	return e, err
}

// unescape reads the escapes of a string value.
func unescape(s string) string {
	return strings.NewReplacer(`\s`, " ", `\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`).Replace(s)
}

// command reads the value of Exec: arguments, some in double quotes, with field codes, of
// which those for files are left out.
func command(s, name string) (args []string, err error) {
	var word strings.Builder
	quoted, started := false, false
	end := func() {
		if started {
			args = append(args, word.String())
		}
		word.Reset()
		started = false
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\' && i+1 < len(s):
			i++
			word.WriteByte(s[i])
		case c == '"':
			quoted, started = !quoted, true
		case quoted:
			word.WriteByte(c)
		case c == ' ' || c == '\t' || c == '\n':
			end()
		case c == '%' && i+1 < len(s):
			i++
			switch s[i] {
			case '%':
				word.WriteByte('%')
				started = true
			case 'c':
				word.WriteString(name)
				started = true
			}
		default:
			word.WriteByte(c)
			started = true
		}
	}
	end()
	if quoted || len(args) == 0 {
		return nil, fmt.Errorf("the command %q has no end or no program", s)
	}
	return args, nil
}

// Find returns the application that a name means: by its identifier, its name, its window
// class or its program, in any case; the user's own first.
func Find(list []Entry, name string) (Entry, bool) {
	name = strings.TrimSuffix(name, ".desktop")
	for _, fits := range []func(Entry) bool{
		func(e Entry) bool { return e.ID == name },
		func(e Entry) bool { return strings.EqualFold(e.ID, name) },
		func(e Entry) bool { return strings.EqualFold(e.Name, name) },
		func(e Entry) bool { return e.Class != "" && strings.EqualFold(e.Class, name) },
		func(e Entry) bool { return strings.EqualFold(filepath.Base(e.Args[0]), name) },
		func(e Entry) bool { return strings.EqualFold(e.ID[strings.LastIndexByte(e.ID, '.')+1:], name) },
	} {
		for _, e := range list {
			if fits(e) {
				return e, true
			}
		}
	}
	return Entry{}, false
}

// Runs reports whether a process whose window has a class runs the application. id is a further name
// of the application.
func (e Entry) Runs(pid int, class, id string) bool {
	program := filepath.Base(e.Args[0])
	for _, name := range []string{class, Name(pid), filepath.Base(Program(pid))} {
		if name != "" && (strings.EqualFold(name, id) || strings.EqualFold(name, e.ID) || strings.EqualFold(name, e.Class) || strings.EqualFold(name, program)) {
			return true
		}
	}
	return false
}
