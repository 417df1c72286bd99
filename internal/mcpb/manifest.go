// Package mcpb reads, installs, updates and removes .mcpb bundles: ZIP files with an MCP
// server and a manifest (versions 0.1 to 0.4 of the format, also as .dxt).
//
// It owns the folder of installed bundles. A bundle is not trusted: it is unpacked only into its
// own folder, within limits, and the package runs nothing of it. The package must not know
// settings, hosts or the window.
package mcpb

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"goated/internal/inputs"
	"goated/internal/lazyregexp"
)

// These are the types of servers.
const (
	Node   = "node"
	Python = "python"
	Binary = "binary"
	UV     = "uv" // since 0.4: uv installs the dependencies of pyproject.toml
)

// A Manifest contains the parts of a bundle's manifest that goated uses.
type Manifest struct {
	ManifestVersion string   `json:"manifest_version"`
	DXTVersion      string   `json:"dxt_version"` // the older name of manifest_version
	Name            string   `json:"name"`
	DisplayName     string   `json:"display_name"`
	Version         string   `json:"version"`
	Description     string   `json:"description"`
	Author          Author   `json:"author"`
	Homepage        string   `json:"homepage"`
	Privacy         []string `json:"privacy_policies"`
	Server          Server   `json:"server"`
	Compatibility   struct {
		Platforms []string          `json:"platforms"`
		Runtimes  map[string]string `json:"runtimes"`
	} `json:"compatibility"`
	UserConfig map[string]Setting `json:"user_config"`
}

// An Author is the person or company that made a bundle.
type Author struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// A Server describes how the server of a bundle runs.
type Server struct {
	Type       string `json:"type"`
	EntryPoint string `json:"entry_point"` // relative to the bundle, with slashes
	Config     *Run   `json:"mcp_config"`  // nil for some bundles with uv
}

// A Run is a command line.
type Run struct {
	Command   string            `json:"command"`
	Args      []string          `json:"args"`
	Env       map[string]string `json:"env"`
	Platforms map[string]struct {
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env"`
	} `json:"platform_overrides"`
}

// A Setting is a value that the user provides.
type Setting struct {
	Type        string          `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Required    bool            `json:"required"`
	Default     json.RawMessage `json:"default"`
	Multiple    bool            `json:"multiple"`
	Sensitive   bool            `json:"sensitive"`
	Min         *float64        `json:"min"`
	Max         *float64        `json:"max"`
}

// maxManifest limits the size of a manifest, in bytes. maxSettings limits the number of its
// settings.
const (
	maxManifest = 4 << 20
	maxSettings = 200
)

// settingName matches the names that a manifest can refer to.
var settingName = lazyregexp.New(`^[A-Za-z0-9_.-]{1,100}$`)

// Parse parses a manifest and checks everything that goated relies on.
func Parse(data []byte) (*Manifest, error) {
	if len(data) > maxManifest {
		return nil, errors.New("the manifest is too long")
	}
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("the manifest is not valid: %w", err)
	}
	if m.ManifestVersion == "" {
		m.ManifestVersion = m.DXTVersion
	}
	major, minor, ok := strings.Cut(m.ManifestVersion, ".")
	n, err := strconv.Atoi(minor)
	switch {
	case !ok || err != nil:
		return nil, fmt.Errorf("the manifest has no version that goated knows: %q", m.ManifestVersion)
	case major != "0" || n > 4:
		return nil, fmt.Errorf("the bundle is made for manifest version %s; goated knows 0.1 to 0.4. Update goated", m.ManifestVersion)
	case m.Name == "" || m.Version == "":
		return nil, errors.New("the manifest has no name or no version")
	case len(m.UserConfig) > maxSettings:
		return nil, errors.New("the manifest has too many settings")
	}
	for name := range m.UserConfig {
		if !settingName.MatchString(name) {
			return nil, fmt.Errorf("the manifest has a setting with the name %q", name)
		}
	}
	return &m, m.Server.check()
}

func (s Server) check() error {
	switch {
	case !slices.Contains([]string{Node, Python, Binary, UV}, s.Type):
		return fmt.Errorf("the server has the type %q; goated knows node, python, binary and uv", s.Type)
	case s.EntryPoint == "" && (s.Config == nil || s.Type == UV):
		return errors.New("the manifest names no entry point")
	case s.EntryPoint != "" && !inside(s.EntryPoint):
		return fmt.Errorf("the entry point %q is not in the bundle", s.EntryPoint)
	case s.Config == nil && s.Type != UV, s.Config != nil && s.Config.Command == "":
		return errors.New("the manifest does not say how the server runs")
	}
	return nil
}

// inside reports whether a path of the bundle stays inside the bundle.
func inside(name string) bool {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	return !path.IsAbs(clean) && clean != ".." && !strings.HasPrefix(clean, "../") && (len(clean) < 2 || clean[1] != ':')
}

// Title returns the name that users see.
func (m *Manifest) Title() string {
	if m.DisplayName != "" {
		return m.DisplayName
	}
	return m.Name
}

// Runs reports whether the bundle supports a platform, given as a GOOS.
func (m *Manifest) Runs(goos string) bool {
	return len(m.Compatibility.Platforms) == 0 || slices.Contains(m.Compatibility.Platforms, platform(goos))
}

// platform returns the name that manifests use for a platform.
func platform(goos string) string {
	if goos == "windows" {
		return "win32"
	}
	return goos
}

// Inputs returns the values that the bundle asks for: first the required ones, then the others,
// each sorted by name. The folders of sys replace the variables in defaults.
func (m *Manifest) Inputs(sys System) []inputs.Input {
	var list []inputs.Input
	for name, s := range m.UserConfig {
		in := inputs.Input{ID: name, Title: s.Title, Description: s.Description, Kind: inputs.Kind(s.Type), Required: s.Required, Secret: s.Sensitive,
			Multiple: s.Multiple, Min: s.Min, Max: s.Max}
		if !slices.Contains([]inputs.Kind{inputs.Number, inputs.Boolean, inputs.File, inputs.Folder}, in.Kind) {
			in.Kind = inputs.Text
		}
		for _, d := range defaults(s.Default) {
			in.Default = append(in.Default, sys.replacer("").Replace(d))
		}
		list = append(list, in)
	}
	slices.SortFunc(list, func(a, b inputs.Input) int {
		if a.Required != b.Required {
			if a.Required {
				return -1
			}
			return 1
		}
		return strings.Compare(a.ID, b.ID)
	})
	return list
}

// defaults returns the texts of a default, which is a single value or a list.
func defaults(raw json.RawMessage) []string {
	var list []any
	if json.Unmarshal(raw, &list) != nil {
		var one any
		if json.Unmarshal(raw, &one) != nil || one == nil {
			return nil
		}
		list = []any{one}
	}
	var out []string
	for _, v := range list {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case bool:
			out = append(out, strconv.FormatBool(v))
		case float64:
			out = append(out, strconv.FormatFloat(v, 'f', -1, 64))
		}
	}
	return out
}
