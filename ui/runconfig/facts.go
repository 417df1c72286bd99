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

// A Fact is one property of how a server starts. The hint explains the value.
type Fact struct{ Name, Value, Hint string }

// FactsOf returns the facts about a server from a pasted text.
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
	program := launch.ShownFolders(s.Command) // as the text writes it
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
		args[i] = view.Tilde(shellword.Quote(a)) // a shell does not expand a quoted ~
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

// foundHere returns a hint if the program is on this computer. If it is not, a note explains
// that.
func foundHere(s launch.Server) string {
	open := launch.ShownFolders(s.Command) != s.Command // the user must still enter its path
	if open || slices.ContainsFunc(s.Notes, func(n launch.Note) bool { return n.Kind == launch.ProgramMissing }) {
		return ""
	}
	return "found on this computer"
}

// kindOf describes a single argument that is a path on this computer.
func kindOf(words []string) string {
	if len(words) != 1 || !filepath.IsAbs(words[0]) {
		return ""
	}
	switch info, err := os.Stat(words[0]); {
	case errors.Is(err, fs.ErrNotExist):
		return "not found on this computer" // for example ~/Documents if that folder has another name
	case err != nil:
		return ""
	case info.IsDir():
		return "a folder"
	}
	return "a file"
}

// Composes reports whether the value of a variable contains inputs.
func Composes(v launch.Variable) bool {
	return strings.Contains(v.Value, launch.Input{}.Ref()[:len("${input:")])
}
