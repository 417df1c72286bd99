// Package serverlist prints the servers that goated starts, for "goated servers list" and "show".
// It owns the layout of that list, and never prints a secret. It must not know the settings file or
// the host.
package serverlist

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"goated/internal/adding"
	"goated/internal/config"
	"goated/internal/launch"
	"goated/ui/view"
)

// A Server is a row of the list. It contains no secrets.
type Server struct {
	Name    string   `json:"name"`
	On      bool     `json:"on"`
	Bundled bool     `json:"bundled,omitempty"`
	File    string   `json:"file,omitempty"` // the linked file that contains the server
	Path    string   `json:"path,omitempty"`
	Command string   `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	Args    []string `json:"args,omitempty"`
	Dir     string   `json:"dir,omitempty"`
	Env     []string `json:"env,omitempty"` // names
	Headers []string `json:"headers,omitempty"`

	line string // describes how the server runs
}

// Of returns the row for a server of the settings.
func Of(l config.Launch) Server {
	shown := l.WithoutSecrets()
	out := Server{Name: l.DisplayName(), On: !l.Off, Path: l.Path, Command: l.Command, URL: shown.URL, Args: shown.Args, Dir: l.Dir, line: adding.Line(l)}
	for _, v := range l.Env {
		out.Env = append(out.Env, v.Name)
	}
	for _, v := range l.Headers {
		out.Headers = append(out.Headers, v.Name)
	}
	return out
}

// JSON prints the list as a JSON array.
func JSON(w io.Writer, list []Server) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

// Print prints the list for people.
func Print(w io.Writer, list []Server) {
	for _, l := range list {
		state := "on "
		if !l.On {
			state = "off"
		}
		fmt.Fprintf(w, "%-20s %s  %s", l.Name, state, cmp.Or(l.line, "comes with goated"))
		if l.File != "" {
			fmt.Fprintf(w, ", from %s", l.File)
		}
		fmt.Fprintln(w)
	}
}

// Show prints how a server runs and what it may do, without the values of its variables.
func Show(w io.Writer, l config.Launch) {
	row := func(label, value string) {
		if value != "" {
			fmt.Fprintf(w, "  %-12s %s\n", label, value)
		}
	}
	one := Of(l)
	fmt.Fprintln(w, one.Name)
	row("runs", one.line)
	origin, _ := launch.Of(l.Path, l.Command, l.URL, l.Args, l.Dir, launch.Here(nil))
	row("from", strings.TrimSpace(string(origin.Source)+" "+origin.Package+" "+origin.Version))
	row("folder", l.Dir)
	row("variables", strings.Join(one.Env, ", "))
	row("headers", strings.Join(one.Headers, ", "))
	state := "starts with goated"
	if l.Off {
		state = "off"
	}
	row("state", state)
	for _, p := range l.Allowed {
		row("may", view.PermissionName(p))
	}
	if l.NoSandbox {
		row("sandbox", "none: it can do everything that you can")
	}
}
