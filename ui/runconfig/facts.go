package runconfig

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/launch"
	"goated/internal/shellword"
	"goated/ui/view"
)

// A Fact says one thing about how a server starts. The hint says what the value is.
type Fact struct{ Name, Value, Hint string }

// FactsOf returns the facts about a server that the user pasted.
func FactsOf(s launch.Server) []Fact {
	var out []Fact
	add := func(name, value string, hint ...string) {
		if value != "" {
			out = append(out, Fact{name, value, strings.Join(hint, "")})
		}
	}
	origin, words, version := strings.TrimSpace(s.Origin.Package+" "+s.Origin.Version), s.Args, ""
	if s.Origin.Registry() != "" {
		words = s.Args[1+slices.IndexFunc(s.Args, func(a string) bool { return strings.HasPrefix(a, s.Origin.Package) }):]
		origin, version = s.Origin.Package, "the newest version"
		if v := s.Origin.Version; v != "" && v != "latest" {
			version = "pinned to " + v
		}
	}
	program := launch.ShownFolders(s.Command) // what stands for it, if it is the user's own
	switch {
	case s.Kind == launch.Remote:
		add("Address", s.Remote.URL)
	case s.Path != "":
		add("Script", view.Tilde(s.Path))
	default:
		add("Program", view.Tilde(program), foundHere(s))
	}
	switch s.Origin.Source {
	case launch.NPM, launch.PyPI, launch.JSR, launch.NuGet, launch.Maven, launch.GoModule, launch.Git:
		add("Package", origin, version)
	case launch.Container:
		add("Image", origin)
	case launch.Local:
		if s.Origin.Package != s.Path && s.Origin.Package != program && !slices.Contains(words, s.Origin.Package) {
			add("File", view.Tilde(s.Origin.Package))
		}
	}
	args := make([]string, len(words))
	for i, a := range words {
		args[i] = view.Tilde(shellword.Quote(a)) // a quoted ~ would not be the home
	}
	add("Arguments", strings.Join(args, " "), kindOf(words))
	var names []string
	for _, v := range s.Env {
		names = append(names, v.Name)
	}
	add("Variables", strings.Join(names, ", "))
	names = nil
	for _, v := range s.Remote.Headers {
		if Composes(v) { // the fields below show the others
			names = append(names, v.Name)
		}
	}
	add("Headers", strings.Join(names, ", "))
	add("Folder", view.Tilde(s.Dir))
	return out
}

// foundHere says that the program is on this computer; a note says if it is not.
func foundHere(s launch.Server) string {
	waits := launch.ShownFolders(s.Command) != s.Command // for its path
	if waits || slices.ContainsFunc(s.Notes, func(n launch.Note) bool { return n.Kind == launch.ProgramMissing }) {
		return ""
	}
	return "found on this computer"
}

// kindOf says what a single argument is, if it is a path of this computer.
func kindOf(words []string) string {
	if len(words) != 1 || !filepath.IsAbs(words[0]) {
		return ""
	}
	switch info, err := os.Stat(words[0]); {
	case errors.Is(err, fs.ErrNotExist):
		return "not found on this computer" // such as ~/Documents where it has another name
	case err != nil:
		return ""
	case info.IsDir():
		return "a folder"
	}
	return "a file"
}

// Composes reports whether inputs are in the value of a variable.
func Composes(v launch.Variable) bool {
	return strings.Contains(v.Value, launch.Input{}.Ref()[:len("${input:")])
}
