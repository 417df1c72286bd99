package client

import (
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"goated/internal/proc"
)

// What interpreters say of a mistake in a file, and of an error that nobody
// caught.
var (
	// A place in a file that could not be read as a program has no function's name
	// behind it: that is one of a traceback.
	pySyntax = pattern(`File "([^"]+)", line (\d+)\n(?:\s[^\n]*\n){0,3}?(?:SyntaxError|IndentationError|TabError): ([^\n]+)`)
	// Where Node itself has found the mistake, it was in loading the file. JSON.parse
	// and RegExp are no files of Node's.
	jsSyntax   = pattern(`(?m)^(/[^\n]+|[A-Z]:\\[^\n]+|file://[^\n]+):(\d+)\n(?:[^\n]*\n){0,3}?SyntaxError: ([^\n]+)\n\s+at [^\n]*\((?:node:)?internal/`)
	jsonSyntax = pattern(`SyntaxError: ([^\n:]*[^\n]?[^\n:]*\.json): ([^\n]+)\n\s+at parse `)
	goSyntax   = pattern(`([^\s:]+\.go):(\d+):\d+: ([^\n]+)`)

	pyFrame  = pattern(`(?m)^[ |]*File "([^"]+)", line (\d+), in `)
	pyError  = pattern(`(?m)^[ |]*((?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt|Warning|error)(?:: [^\n]+)?)$`)
	jsError  = pattern(`(?m)^(?:Uncaught )?(\w*Error(?: \[\w+\])?(?:: [^\n]+)?)\n\s+at `)
	jsFrame  = pattern(`(?m)^\s+at (?:[^\n]*\()?(/[^\n)]+|[A-Z]:\\[^\n)]+|file://[^\n)]+):(\d+):\d+\)?$`)
	goPanic  = pattern(`(?m)^panic: ([^\n]+)`)
	goFrame  = pattern(`(?m)^\t([^\n]+\.go):(\d+)(?: |$)`)
	ownCrash = pattern(`(?m)^(?:SIG[A-Z]+|fatal error|Fatal Python error): ([^\n]+)`) // of the interpreter, for itself
	foreign  = pattern(`[/\\](?:node_modules|site-packages|dist-packages|lib[/\\]python[\d.]+|pkg[/\\]mod|src[/\\]runtime)[/\\]`)
	openable = []string{".py", ".js", ".mjs", ".cjs", ".json", ".go"}
	inModule = "import statement outside a module"
)

// mistake is a file that is no program of its language.
func (c circumstances) mistake(d *Diagnosis) bool {
	for _, m := range pySyntax().FindAllStringSubmatch(c.said, -1) {
		if exists(m[1]) { // and not "<string>", which the script itself has made
			c.syntax(d, m[1], m[2], m[3])
			return true
		}
	}
	if m := goSyntax().FindStringSubmatch(c.said); m != nil && filepath.Ext(c.path) == ".go" {
		c.syntax(d, filepath.Join(c.dir(), filepath.Base(m[1])), m[2], m[3])
		return true
	}
	if m := jsSyntax().FindStringSubmatch(c.said); m != nil && exists(local(m[1])) {
		c.syntax(d, local(m[1]), m[2], m[3])
		if strings.Contains(m[3], inModule) {
			d.Remedy = `Say "type": "module" in the package.json beside the script, or name the script .mjs and import that from a .js one.`
		}
		return true
	}
	if m := jsonSyntax().FindStringSubmatch(c.said); m != nil && exists(m[1]) {
		c.syntax(d, m[1], "", m[2])
		return true
	}
	return false
}

func (c circumstances) syntax(d *Diagnosis, file, line, what string) {
	c.at(d, CauseSyntax, file, line)
	d.Why = "There is a mistake in " + d.Detail + ": " + strings.TrimSuffix(what, ".") + "."
	d.Remedy = "Mend the syntax error in " + d.Detail + "."
}

// at says in which file a cause is to be looked for.
func (c circumstances) at(d *Diagnosis, cause Cause, file, line string) {
	d.Cause, d.Open, d.Detail = cause, c.opened(file), filepath.Base(file)
	if line != "" {
		d.Detail += ":" + line
	}
}

// opened is a file that may be given to the desktop to open, which runs some
// files, and outside of any sandbox. The name comes from the server itself: what
// is no source of the script's own folder, or may be written by the server, is
// not opened, but the script is.
func (c circumstances) opened(file string) string {
	file, err := filepath.EvalSymlinks(file)
	if err != nil || !slices.Contains(openable, filepath.Ext(file)) || !inside(file, c.dir()) {
		return c.path
	}
	if p := c.run.Policy; p != nil && p.State != "" && inside(file, filepath.Dir(p.State)) {
		return c.path
	}
	if script, err := filepath.EvalSymlinks(c.path); err == nil && script == file {
		return c.path // as the user calls it
	}
	return file
}

// inside reports whether a file, whose name has no links, lies below dir.
func inside(file, dir string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

// uncaught is an error that the script itself came to. It is looked for where
// the script was when it happened, and not in the libraries below.
func (c circumstances) uncaught(d *Diagnosis) bool {
	if strings.HasPrefix(c.exit, proc.BySignal) {
		return false // that was more than an error
	}
	for _, one := range []struct {
		what, frame *regexp.Regexp
		last        bool // what happened, and where, stands at the end
	}{{pyError(), pyFrame(), true}, {jsError(), jsFrame(), false}, {goPanic(), goFrame(), false}} {
		said := one.what.FindAllStringSubmatch(c.said, -1)
		file, line := innermost(one.frame.FindAllStringSubmatch(c.said, -1), one.last)
		if len(said) == 0 || file == "" {
			continue
		}
		what := said[0][1]
		if one.last {
			what = said[len(said)-1][1]
		}
		c.at(d, CauseError, file, line)
		d.Why = "It stopped with an error at " + d.Detail + ": " + strings.TrimSuffix(what, ".") + "."
		d.Remedy = "Look into " + d.Detail + ", and at what the server was given: its arguments, its environment, its files."
		return true
	}
	return false
}

// innermost is the place nearest to the error that is in a file of the script's
// own, or else in any.
func innermost(frames [][]string, last bool) (file, line string) {
	for i := range frames {
		m := frames[i]
		if last {
			m = frames[len(frames)-1-i]
		}
		at := local(m[1])
		if !exists(at) {
			continue
		}
		if !foreign().MatchString(at) {
			return at, m[2]
		}
		if file == "" {
			file, line = at, m[2]
		}
	}
	return file, line
}

// local is the path of a file that Node names by an address.
func local(name string) string {
	rest, ok := strings.CutPrefix(name, "file://")
	if !ok {
		return name
	}
	if plain, err := url.PathUnescape(rest); err == nil {
		rest = plain
	}
	if runtime.GOOS == "windows" {
		rest = filepath.FromSlash(strings.TrimPrefix(rest, "/"))
	}
	return rest
}
