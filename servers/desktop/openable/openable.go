// Package openable decides which programs a desktop server may start as applications. These are
// programs with a desktop file, and programs on PATH that open windows themselves. Shells,
// terminals, interpreters and scripts need the user's switch.
//
// goated uses it when it starts applications for a sandboxed server. A server in another client
// uses it when it starts applications itself. The package has no state and must not know how to
// start a program.
package openable

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"goated/servers/desktop/apps"
	"goated/servers/desktop/guard"
)

// Find returns the application for a name, a desktop file or a path if it may be started. scripts
// means that the user allows all programs. The error may be [apps.ErrUnknown] or a [guard.Refusal].
func Find(getenv func(string) string, scripts bool, name string) (apps.Entry, error) {
	own, _ := os.Executable()
	g := guard.New(guard.Options{Own: guard.Own{Program: own}, Shell: scripts})
	entry, known := apps.Find(apps.Installed(getenv), name)
	if !known {
		path, err := program(getenv, scripts, name)
		if err != nil {
			return entry, err
		}
		entry = apps.Entry{Name: filepath.Base(path), Args: []string{path}}
	}
	if entry.Terminal {
		return entry, &guard.Refusal{Why: fmt.Sprintf("refused: %s runs in a terminal only", entry.Name)}
	}
	for _, arg := range entry.Args { // "env A=b program" counts too
		if strings.HasPrefix(arg, "-") || strings.Contains(arg, "=") {
			continue
		}
		if err := g.Open(arg); err != nil {
			return entry, err
		}
		if path, err := exec.LookPath(arg); err == nil && path != arg {
			if err := g.Open(path); err != nil {
				return entry, err
			}
		}
	}
	if !known && !scripts && !windowed(entry.Args[0]) {
		return entry, &guard.Refusal{Why: fmt.Sprintf("refused: %s is no desktop application: it has no desktop file and opens no windows itself. "+
			"To start shells, interpreters and scripts, the user turns on the scripting switch of the desktop server", name)}
	}
	return entry, nil
}

// program returns the path of a program by its name or path. Unless scripts is set, the program
// must be in a folder on PATH, because a file that a model saved elsewhere is not an application of
// this system.
func program(getenv func(string) string, scripts bool, name string) (string, error) {
	if name == "" || strings.HasPrefix(name, "-") || filepath.Base(name) != name && !filepath.IsAbs(name) {
		return "", apps.ErrUnknown
	}
	path, err := exec.LookPath(name)
	if err != nil || !filepath.IsAbs(path) {
		return "", apps.ErrUnknown
	}
	path = filepath.Clean(path)
	if !scripts && !slices.Contains(filepath.SplitList(getenv("PATH")), filepath.Dir(path)) {
		return "", &guard.Refusal{Why: fmt.Sprintf("refused: %s is in no folder of PATH. To start such programs, the user turns on the scripting switch of the desktop server", path)}
	}
	return path, nil
}

// windowed reports whether a program opens windows itself. Such a program is not a script and is
// linked with a windowing library.
func windowed(path string) bool {
	f, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	libraries, err := f.ImportedLibraries()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(libraries, func(library string) bool {
		return slices.ContainsFunc(toolkits(), func(t string) bool { return strings.HasPrefix(library, t) })
	})
}

// toolkits returns the prefixes of the names of windowing libraries.
func toolkits() []string {
	return []string{"libX11.", "libxcb.", "libXt.", "libXaw", "libwayland-client", "libgtk-", "libgdk-", "libadwaita-", "libQt5Gui", "libQt6Gui", "libQt5Widgets", "libQt6Widgets",
		"libQt5Quick", "libQt6Quick", "libSDL", "libfltk", "libwx_gtk", "libglfw", "libGL.", "libEGL.", "libXm."}
}
