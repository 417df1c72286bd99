package transfer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/lazyregexp"
	"goated/internal/state"
	"goated/internal/venv"
)

// Export returns servers in the format that most clients share: mcpServers by their names. It
// replaces a value that looks like a secret by a reference to an environment variable.
func Export(list []config.Launch) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{\n  \"mcpServers\": {")
	names := make(map[string]bool)
	for i, l := range list {
		name := l.DisplayName()
		for n := 2; names[name]; n++ {
			name = fmt.Sprintf("%s-%d", l.DisplayName(), n)
		}
		names[name] = true
		text, err := encode(exported(l))
		if err != nil {
			return nil, err
		}
		key, err := encode(name)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %s: %s", key, strings.ReplaceAll(string(text), "\n", "\n    "))
	}
	b.WriteString("\n  }\n}\n")
	return b.Bytes(), nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// An entryOut is a server in the shared format.
type entryOut struct {
	Type     string            `json:"type,omitempty"`
	URL      string            `json:"url,omitempty"`
	Headers  map[string]string `json:"headers,omitempty"`
	Command  string            `json:"command,omitempty"`
	Args     []string          `json:"args,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	Dir      string            `json:"cwd,omitempty"`
	Disabled bool              `json:"disabled,omitempty"`
}

func exported(l config.Launch) entryOut {
	l = referring(l.WithoutSecrets())
	out := entryOut{Args: l.Args, Env: values(l.Env), Dir: l.Dir, Disabled: l.Off}
	switch {
	case l.URL != "":
		return entryOut{Type: transport(l.URL), URL: l.URL, Headers: values(l.Headers), Disabled: l.Off}
	case l.Command != "":
		out.Command = cmp.Or(venv.Python(venv.Script("", l.Command, l.Args, l.Dir)), l.Command)
	case strings.HasSuffix(l.Path, ".py"):
		// Other clients do not look for the virtual environment beside the script, and the script fails
		// without it.
		out.Command, out.Args = cmp.Or(venv.Python(l.Path), "python3"), append([]string{l.Path}, l.Args...)
	case strings.HasSuffix(l.Path, ".go"):
		out.Command, out.Args = "go", append([]string{"run", l.Path}, l.Args...)
	default:
		out.Command, out.Args = "node", append([]string{l.Path}, l.Args...)
	}
	return out
}

// transport returns the type of transport for a URL. goated itself tries both, but other clients need the
// "type".
func transport(address string) string {
	path := address
	if end := strings.IndexAny(address, "?#"); end >= 0 {
		path = address[:end]
	}
	if strings.HasSuffix(strings.TrimRight(path, "/"), "/sse") {
		return "sse"
	}
	return "http"
}

// referring returns a server whose inputs are environment variables, which other clients support. If
// the server already has a variable of that name, the new one gets a number, because the program
// itself expands references to its own variables.
func referring(l config.Launch) config.Launch {
	taken, pairs := make(map[string]bool), []string(nil)
	for _, v := range l.Env {
		taken[v.Name] = true
	}
	for _, v := range l.Env {
		id, ok := launch.InputID(v.Name)
		if !ok {
			continue
		}
		name := Reference(id)
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s_%d", Reference(id), n)
		}
		taken[name] = true
		pairs = append(pairs, launch.Input{ID: id}.Ref(), "${"+name+"}")
	}
	fill := strings.NewReplacer(pairs...)
	l.Command, l.URL, l.Dir = launch.ShownFolders(l.Command), fill.Replace(l.URL), fill.Replace(l.Dir)
	l.Args, l.Env, l.Headers = slices.Clone(l.Args), slices.Clone(l.Env), slices.Clone(l.Headers)
	for i, a := range l.Args {
		l.Args[i] = fill.Replace(a)
	}
	for _, list := range [][]config.Variable{l.Env, l.Headers} {
		for i, v := range list {
			list[i].Value = fill.Replace(v.Value)
		}
	}
	return l
}

// plainName matches characters that the name of a variable cannot contain.
var plainName = lazyregexp.New(`[^A-Za-z0-9_]+`)

// Reference derives the name of the variable for a value from the name of its header, flag or input.
func Reference(name string) string {
	return strings.ToUpper(strings.Trim(plainName.ReplaceAllString(name, "_"), "_"))
}

func values(list []config.Variable) map[string]string {
	if len(list) == 0 {
		return nil
	}
	out := make(map[string]string)
	for _, v := range list {
		if _, ok := launch.InputID(v.Name); ok {
			continue // other values refer to it
		}
		if out[v.Name] = v.Value; v.Ref != "" || v.Secret() || config.LooksSecret(v.Value) {
			out[v.Name] = "${" + Reference(v.Name) + "}"
		}
	}
	return out
}

// Write writes an export to a new file that only the user can read. If force is set, the new file
// replaces an existing one. Writing into the existing file would keep its mode, and a program that
// has it open could read the export.
func Write(path string, text []byte, force bool) error {
	if info, err := os.Stat(path); force && err == nil && info.Mode().IsRegular() {
		target, err := filepath.EvalSymlinks(path) // keep a symbolic link
		if err == nil {
			err = state.ReplaceBytes(target, text)
		}
		if err != nil {
			return fmt.Errorf("exporting: %w", err)
		}
		return nil
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_EXCL
	if force {
		mode = os.O_CREATE | os.O_WRONLY // not a regular file, such as a pipe
	}
	f, err := os.OpenFile(path, mode, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists already. Use --force to replace it", path)
	}
	if err != nil {
		return fmt.Errorf("exporting: %w", err)
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
