// Package apps finds the applications of a Linux desktop: the desktop files of installed
// applications (freedesktop.org Desktop Entry Specification) and the processes of running ones. It
// also starts programs.
//
// The package owns the processes that it starts and waits until they end. It must not know about
// windows.
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
	ID       string // name of its desktop file without ".desktop", such as "org.gnome.Calculator"
	Name     string // as shown in menus
	Class    string // class of its windows; empty if unknown
	Args     []string
	Dir      string // working directory; empty: the current one
	Terminal bool   // it needs a terminal
}

// Installed lists the installed applications, starting with the user's own. It leaves out
// applications that the user has hidden.
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

// folders returns the folders of desktop files, in order of precedence.
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

// ErrUnknown means that no application and no program has the name.
var ErrUnknown = errors.New("no application and no program has this name")

// errHidden is the error for a desktop file that is not a visible application.
var errHidden = errors.New("it is not an application that can be started")

// Parse parses a desktop file.
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

// unescape replaces the escape sequences in a string value.
func unescape(s string) string {
	return strings.NewReplacer(`\s`, " ", `\n`, "\n", `\t`, "\t", `\r`, "\r", `\\`, `\`).Replace(s)
}

// command parses the value of Exec into arguments. Arguments may be in double quotes. It replaces
// %c with the name and %% with a percent sign, and removes the other field codes.
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

// Find returns the application with a name, which is its identifier, display name, window class or
// program, ignoring case. The user's own applications take precedence.
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

// Runs reports whether a process, which has a window with this class, runs the application. id is
// an additional name of the application.
func (e Entry) Runs(pid int, class, id string) bool {
	program := filepath.Base(e.Args[0])
	for _, name := range []string{class, Name(pid), filepath.Base(Program(pid))} {
		if name != "" && (strings.EqualFold(name, id) || strings.EqualFold(name, e.ID) || strings.EqualFold(name, e.Class) || strings.EqualFold(name, program)) {
			return true
		}
	}
	return false
}
