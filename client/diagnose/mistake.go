package diagnose

import (
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var (
	// Python prints no function name after the place if it cannot parse the file. In a traceback it
	// does.
	pySyntax = pattern(`File "([^"]+)", line (\d+)\n(?:\s[^\n]*\n){0,3}?(?:SyntaxError|IndentationError|TabError): ([^\n]+)`)
	// The error comes from Node's loader. JSON.parse and RegExp are not in Node's own files.
	jsSyntax   = pattern(`(?m)^(/[^\n]+|[A-Z]:\\[^\n]+|file://[^\n]+):(\d+)\n(?:[^\n]*\n){0,3}?SyntaxError: ([^\n]+)\n\s+at [^\n]*\((?:node:)?internal/`)
	jsonSyntax = pattern(`SyntaxError: ([^\n:]*[^\n]?[^\n:]*\.json)(): ([^\n]+)\n\s+at parse `)
	goError    = pattern(`([^\s:]+\.go):(\d+):\d+: ([^\n]+)`)

	// foreign matches paths of libraries and of the language itself.
	foreign  = pattern(`[/\\](?:node_modules|site-packages|dist-packages|lib[/\\]python[\d.]+|pkg[/\\]mod|src[/\\]runtime)[/\\]`)
	openable = []string{".py", ".js", ".mjs", ".cjs", ".json", ".go"}
)

// badImport is Node's message for an import statement in a CommonJS script.
const badImport = "import statement outside a module"

// mistakes match the errors for files that are not valid programs. The groups are the file, the
// line and the message.
var mistakes = []struct {
	pattern func() *regexp.Regexp
	ext     string // as in rule
	cause   Cause
	local   bool // the file is in the script's folder, given by its name
}{
	{pySyntax, "", SyntaxError, false},
	{goError, ".go", CompileError, true},
	{jsSyntax, "", SyntaxError, false},
	{jsonSyntax, "", SyntaxError, false},
}

// mistake finds a file that is not a valid program. It skips files that do not exist, such as
// "<string>": the script generated that code itself.
func mistake(f Facts, d *Diagnosis) bool {
	for _, kind := range mistakes {
		if kind.ext != "" && !f.is(kind.ext) {
			continue
		}
		for _, m := range kind.pattern().FindAllStringSubmatch(f.Output, -1) {
			file := f.localPath(m[1])
			if kind.local {
				file = filepath.Join(f.Folder, filepath.Base(file))
			} else if !f.exists(file) {
				continue
			}
			f.at(d, kind.cause, file, m[2], m[3])
			if strings.Contains(m[3], badImport) {
				d.Cause = ImportSyntax
			}
			return true
		}
	}
	return false
}

// at sets the cause and its place in a file.
func (f Facts) at(d *Diagnosis, cause Cause, file, line, message string) {
	d.Cause, d.Args.Open, d.Args.Subject, d.Args.Text = cause, f.sourceToOpen(file), filepath.Base(file), trimmed(message)
	if line != "" {
		d.Args.Subject += ":" + line
	}
}

// sourceToOpen returns a file that is safe to open with the desktop, which runs some kinds of files
// outside any sandbox. The server chose the name of file. If file is not a source file below the
// script's folder, or if the server can write it, sourceToOpen returns the script.
func (f Facts) sourceToOpen(file string) string {
	file, ok := f.real(file)
	if !ok || !slices.Contains(openable, filepath.Ext(file)) || !f.within(file, f.Folder) {
		return f.Script
	}
	if f.State != "" && f.within(file, filepath.Dir(f.State)) {
		return f.Script
	}
	if script, ok := f.real(f.Script); ok && script == file {
		return f.Script // by the path that the user entered
	}
	return file
}

// uncaughtErrors match the error that ended a program and its stack frames. The relevant frame is the
// innermost one in the script's own files. The groups of frame are the file and the line.
var uncaughtErrors = []struct {
	message, frame func() *regexp.Regexp
	last           bool // the innermost frame and the error are last
}{
	{pattern(`(?m)^[ |]*((?:\w+\.)*\w*(?:Error|Exception|Exit|Interrupt|Warning|error)(?:: [^\n]+)?)$`),
		pattern(`(?m)^[ |]*File "([^"]+)", line (\d+), in `), true},
	{pattern(`(?m)^(?:Uncaught )?(\w*Error(?: \[\w+\])?(?:: [^\n]+)?)\n\s+at `),
		pattern(`(?m)^\s+at (?:[^\n]*\()?(/[^\n)]+|[A-Z]:\\[^\n)]+|file://[^\n)]+):(\d+):\d+\)?$`), false},
	{pattern(`(?m)^panic: ([^\n]+)`),
		pattern(`(?m)^\t([^\n]+\.go):(\d+)(?: |$)`), false},
}

// uncaught finds the error that ended the script.
func uncaught(f Facts, d *Diagnosis) bool {
	if f.Signal != "" {
		return false // the process crashed
	}
	for _, kind := range uncaughtErrors {
		messages := kind.message().FindAllStringSubmatch(f.Output, -1)
		frames := kind.frame().FindAllStringSubmatch(f.Output, -1)
		if kind.last {
			slices.Reverse(messages)
			slices.Reverse(frames)
		}
		file, line := f.innermost(frames)
		if len(messages) == 0 || file == "" {
			continue
		}
		f.at(d, UncaughtError, file, line, messages[0][1])
		return true
	}
	return false
}

// innermost returns the first frame in one of the script's own files, otherwise the first in any
// file.
func (f Facts) innermost(frames [][]string) (file, line string) {
	for _, m := range frames {
		path := f.localPath(m[1])
		if !f.exists(path) {
			continue
		}
		if !foreign().MatchString(path) {
			return path, m[2]
		}
		if file == "" {
			file, line = path, m[2]
		}
	}
	return file, line
}

// localPath returns the path of a file. Node names some files by URL.
func (f Facts) localPath(name string) string {
	rest, ok := strings.CutPrefix(name, "file://")
	if !ok {
		return name
	}
	if plain, err := url.PathUnescape(rest); err == nil {
		rest = plain
	}
	if f.Machine.Windows {
		rest = filepath.FromSlash(strings.TrimPrefix(rest, "/"))
	}
	return rest
}
