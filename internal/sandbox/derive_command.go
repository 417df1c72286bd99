package sandbox

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/paths"
	"goated/internal/sandbox/shebang"
	"goated/internal/sandbox/toolchain"
)

// ForCommand derives the default policy of a server that an installed program runs, such as npx,
// uvx or a console script. It is like [For] without a script: the server may read the program, its
// libraries, and this computer's interpreters, but none of the user's files.
func ForCommand(command, data string, env []string, private ...string) Policy {
	d := newDerivation(data, private)
	d.p.Network = NamedHosts
	d.p.System = append(d.p.System, localNames)
	d.installed(command, env)
	d.common()
	d.variables(env)
	return d.p.With(Grant{})
}

// WithProjects lets a command read the modules that it finds above the folders of the projects that
// it runs, like [For] does for a script. It allows nothing else in those folders.
func (p Policy) WithProjects(dirs []string) Policy {
	home, _ := os.UserHomeDir()
	d := &derivation{home: home, p: p}
	for _, dir := range dirs {
		d.above(dir)
	}
	return d.p.With(Grant{})
}

// installed allows a program of the user or the system, its libraries and its interpreter.
func (d *derivation) installed(path string, env []string) {
	d.program(path)
	names := linkChain(path)
	for _, file := range names {
		d.nodeModules(file)
	}
	last := names[len(names)-1]
	if base := filepath.Base(last); base == "uvx" || base == "pipx" { // uvx runs the uv beside it
		d.library(filepath.Join(filepath.Dir(last), "uv"))
	}
	if interpreter := shebang.Interpreter(last, env); interpreter != "" {
		d.program(interpreter)
	}
}

// chosen allows the interpreter of a script that runs as a program, if it is in a folder of PATH, like
// the virtual environment that the user activated. The first line comes with the server, so it opens
// no other environment.
func (d *derivation) chosen(script string, env []string) {
	names := linkChain(script)
	interpreter := shebang.Interpreter(names[len(names)-1], env)
	if interpreter != "" && slices.Contains(shebang.Folders(env), resolveLinks(filepath.Dir(interpreter))) {
		d.program(interpreter)
	}
}

// nodeModules allows the packages around a program that npm installed.
func (d *derivation) nodeModules(file string) {
	sep := string(filepath.Separator)
	if i := strings.Index(file, sep+"node_modules"+sep); i > 0 {
		if dir := file[:i] + sep + "node_modules"; !d.isShared(dir) {
			d.library(dir)
		}
	}
}

// settings are configuration below the home folder that programs read and that contains no
// credentials: fonts, language, file types, the appearance of programs.
var settings = []string{
	".fonts", ".fonts.conf", ".local/share/fonts", ".cache/fontconfig", ".config/fontconfig",
	".config/user-dirs.dirs", ".config/user-dirs.locale", ".config/locale.conf", ".config/mimeapps.list", ".local/share/mime", ".local/share/icons", ".icons",
	".config/git/ignore", ".config/git/attributes", ".gitignore", ".gitignore_global", ".gitattributes", ".config/matplotlib", ".inputrc", ".terminfo", ".editorconfig",
	".ripgreprc", ".config/ripgrep", ".config/gtk-3.0/settings.ini", ".config/gtk-4.0/settings.ini", ".config/dconf/user",
	".tool-versions", ".python-version", ".node-version", ".nvmrc", ".asdfrc",
}

// common allows the parts of the user's home that every server may read.
func (d *derivation) common() {
	if d.home == "" {
		return
	}
	for _, name := range slices.Concat(toolchain.Folders, settings) {
		path := filepath.Join(d.home, filepath.FromSlash(name))
		// A link of that name may lead anywhere.
		if real := resolveLinks(path); real == path || filepath.Base(real) == filepath.Base(path) && !d.isShared(real) && paths.Within(real, resolveLinks(d.home)) {
			d.library(real)
		}
	}
	d.elsewhere()
}

// elsewhere allows the installations of version managers that are on another disk or in another folder,
// behind a link of the user. Shims, uv and pipx find them only by that link. Like any link, it may have
// been planted, so it opens only what has the marks of an installation, and of that only the parts. uv
// also lists their folder, which is allowed if it holds nothing else.
func (d *derivation) elsewhere() {
	home := os.DirFS(d.home)
	each := func(pattern string, allow func(real string)) {
		found, _ := fs.Glob(home, pattern) // the patterns are well formed
		for _, name := range found {
			if real := resolveLinks(filepath.Join(d.home, filepath.FromSlash(name))); !paths.WithinAny(real, d.p.System) {
				allow(real)
			}
		}
	}
	for _, pattern := range toolchain.Installations {
		each(path.Dir(pattern), func(real string) {
			if !d.isShared(real) && toolchain.OnlyInstalled(real) {
				d.library(real)
			}
		})
		each(pattern, func(real string) {
			d.prefix(real, true)
			d.baseInterpreter(real)
		})
	}
}
