// Package transfer exchanges server configurations with other MCP clients. It finds their files,
// reads the servers in them, and writes the format that most of them share.
//
// It owns the table of clients and their files. It starts nothing and never writes a file of
// another client. Package launch parses single servers for it. It must not depend on the host or
// the window.
package transfer

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// An App is another MCP client.
type App struct {
	ID   string // for --from, such as "claude-desktop"
	Name string // display name
}

// Places contains the folders of a computer in which clients have their files.
type Places struct {
	OS      string // like runtime.GOOS
	Home    string
	Config  string // XDG_CONFIG_HOME, Library/Application Support or APPDATA
	Project string // a project folder whose files count, too; empty: none
	Getenv  func(name string) string
}

// Here returns the places on this computer. project may be empty.
func Here(project string) Places {
	p := Places{OS: runtime.GOOS, Project: project, Getenv: os.Getenv}
	p.Home, _ = os.UserHomeDir()
	p.Config, _ = os.UserConfigDir()
	return p
}

// A File is a configuration file of a client.
type File struct {
	App    App
	Path   string // absolute
	Folder string // the project that it is for; empty: all projects
}

// An app lists the configuration files of a client: the user's files, and the files inside a
// project folder.
type app struct {
	App
	user    func(p Places) []string
	project []string
}

// home returns a function that returns files below the user's home folder.
func home(names ...string) func(Places) []string {
	return func(p Places) []string { return below(p.Home, names...) }
}

func below(dir string, names ...string) (paths []string) {
	if dir == "" {
		return nil
	}
	for _, n := range names {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(n)))
	}
	return paths
}

// xdg returns a function that returns files below ~/.config, which some clients also use on macOS.
// windows is the folder below APPDATA.
func xdg(windows string, names ...string) func(Places) []string {
	return func(p Places) []string {
		switch {
		case p.OS == "windows":
			return below(filepath.Join(p.Config, filepath.FromSlash(windows)), names...)
		case p.Getenv != nil && p.Getenv("XDG_CONFIG_HOME") != "" && p.OS != "darwin":
			return below(filepath.Join(p.Getenv("XDG_CONFIG_HOME"), strings.ToLower(filepath.Base(windows))), names...)
		}
		return below(filepath.Join(p.Home, ".config", strings.ToLower(filepath.Base(windows))), names...)
	}
}

// apps lists the clients that goated supports.
var apps = []app{
	{App{"claude-desktop", "Claude Desktop"}, func(p Places) []string { return below(p.Config, "Claude/claude_desktop_config.json") }, nil},
	{App{"claude-code", "Claude Code"}, home(".claude.json"), []string{".mcp.json"}},
	{App{"cursor", "Cursor"}, home(".cursor/mcp.json"), []string{".cursor/mcp.json"}},
	{App{"vscode", "VS Code"}, func(p Places) []string {
		var paths []string
		for _, product := range []string{"Code", "Code - Insiders", "VSCodium"} {
			paths = append(paths, below(p.Config, product+"/User/mcp.json", product+"/User/settings.json")...)
			profiles, _ := filepath.Glob(filepath.Join(p.Config, product, "User", "profiles", "*", "mcp.json"))
			paths = append(paths, profiles...)
		}
		return paths
	}, []string{".vscode/mcp.json"}},
	{App{"windsurf", "Windsurf"}, home(".codeium/windsurf/mcp_config.json", ".codeium/windsurf-next/mcp_config.json"), nil},
	{App{"zed", "Zed"}, xdg("Zed", "settings.json"), []string{".zed/settings.json"}},
	{App{"gemini", "Gemini CLI"}, home(".gemini/settings.json"), []string{".gemini/settings.json"}},
	{App{"antigravity", "Antigravity"}, home(".gemini/config/mcp_config.json", ".gemini/antigravity-cli/mcp_config.json", ".gemini/antigravity/mcp_config.json"), nil},
	{App{"goose", "Goose"}, xdg("Block/goose/config", "config.yaml"), nil},
	{App{"codex", "Codex"}, func(p Places) []string {
		if p.Getenv != nil && p.Getenv("CODEX_HOME") != "" {
			return below(p.Getenv("CODEX_HOME"), "config.toml")
		}
		return below(p.Home, ".codex/config.toml")
	}, []string{".codex/config.toml"}},
	{App{"lm-studio", "LM Studio"}, home(".lmstudio/mcp.json", ".cache/lm-studio/mcp.json"), nil},
}

// Apps returns the clients that goated supports.
func Apps() []App {
	var list []App
	for _, a := range apps {
		list = append(list, a.App)
	}
	return list
}

// Files returns the existing configuration files, in the order of [Apps].
func Files(p Places) []File {
	var list []File
	add := func(a App, folder string, paths []string) {
		for _, path := range paths {
			info, err := os.Stat(path)
			same := slices.ContainsFunc(list, func(f File) bool { return f.Path == path })
			if err == nil && info.Mode().IsRegular() && !same {
				list = append(list, File{App: a, Path: path, Folder: folder})
			}
		}
	}
	for _, a := range apps {
		paths := a.user(p)
		if a.ID == "goose" && p.OS != "windows" { // only its folder on Windows has the product's name
			paths = below(filepath.Join(p.Home, ".config", "goose"), "config.yaml")
		}
		add(a.App, "", paths)
		if p.Project != "" {
			add(a.App, p.Project, below(p.Project, a.project...))
		}
	}
	return list
}

// FileAt returns the file at a path that the user entered.
func FileAt(path string) File {
	for _, a := range apps {
		for _, name := range a.project {
			if strings.HasSuffix(filepath.ToSlash(path), "/"+name) {
				return File{App: a.App, Path: path, Folder: strings.TrimSuffix(filepath.ToSlash(path), "/"+name)}
			}
		}
	}
	return File{App: App{ID: "file", Name: filepath.Base(path)}, Path: path}
}
