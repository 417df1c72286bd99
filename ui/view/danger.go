package view

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/paths"
	"goated/internal/sandbox"
	"goated/internal/sandbox/protect"
	"goated/internal/sandbox/sensitive"
)

// Danger returns a warning for a permission that gives access to far more than a file: all of the
// user's files, keys, other programs, or goated itself. It returns "" for any other permission.
// private are goated's own folders; see [client.Host.Private]. guards means that this system
// protects the files in a writable folder that programs run by themselves; see [sandbox.Status].
// The caller must resolve links in the path first.
func Danger(p sandbox.Permission, private []string, guards bool) string {
	if p.Kind != sandbox.ToRead && p.Kind != sandbox.ToWrite && p.Kind != sandbox.ToWriteFile || !filepath.IsAbs(p.Path) {
		return ""
	}
	write := p.Kind != sandbox.ToRead
	path := filepath.Clean(p.Path)
	home, kind := sensitive.Homes(), sensitive.Of(p.Path)
	switch {
	case kind == sensitive.Everything:
		if write && guards {
			return "That is all your files: documents, pictures, mail, saved passwords, keys. The server could read, change and delete nearly every one of them. Servers rarely need this. Allow a single folder instead."
		}
		if write {
			return "That is all your files: documents, pictures, mail, saved passwords, keys. The server could read, change and delete every one of them, and set programs to start when you log in, outside any sandbox. Servers rarely need this. Allow a single folder instead."
		}
		return "That is all your files: documents, pictures, mail, saved passwords, keys. The server could read every one of them and pass it on in its answers. Servers rarely need this. Allow a single folder instead."
	case kind == sensitive.Settings:
		if write {
			return "Your programs keep their settings there, often with passwords and keys. The server could read and change all of them, and so control your other programs. Allow a folder inside it instead."
		}
		return "Your programs keep their settings there, often with passwords and keys. The server could read all of them and pass them on in its answers. Allow a folder inside it instead."
	case slices.ContainsFunc(private, func(dir string) bool { return paths.Within(path, dir) || paths.Within(dir, path) }):
		if write {
			return "Your conversations and all permissions are stored there. The server could grant itself everything without asking you."
		}
		return "All your conversations are stored there. The server could read every one and pass it on in its answers."
	case kind == sensitive.Secrets:
		return "Keys and passwords are stored there. Anyone who has them can log in elsewhere as you, and goated can't undo that. Servers rarely need this."
	case kind == sensitive.Others:
		return "That belongs to another user of this computer. The server could read that person's files, also private ones, and pass them on in its answers. Servers rarely need this."
	case write && (sensitive.Among(path, home, protect.Home) || isSystemPath(path) || onPath(path)):
		return "Programs in there start as yours, outside any sandbox. A server that writes there can do everything that you can."
	}
	if write {
		if found := startedFiles(path, guards); found != "" {
			return "It " + found + ", which other programs run or obey, outside any sandbox. A server that writes there can do everything that you can. Allow a folder without it if you can."
		}
	}
	return ""
}

// ProtectedText describes what stays protected in a folder that a permission makes writable for a server.
// It returns "" for any other permission. guards is as for [Danger].
func ProtectedText(p sandbox.Permission, guards bool) string {
	if p.Kind != sandbox.ToWrite || !paths.IsDir(p.Path) || strings.HasPrefix(startedFiles(p.Path, false), "is part of") {
		return ""
	}
	if guards {
		return "The sandbox keeps it from .git/hooks, .git/config, .envrc, the settings of editors and the other files in there that programs run by themselves."
	}
	return "This system can't keep it from single files in there, such as .git/hooks or .envrc, which other programs run outside any sandbox."
}

// projectCommands are files and folders of a project that can make the user's programs run
// commands, and that no sandbox protects.
var projectCommands = []string{"Makefile", "package.json", ".github/workflows", ".gitlab-ci.yml", ".tool-versions"}

// projectStarts returns the paths that a sandbox protects. The whole .git folder counts as one
// path.
func projectStarts() []string {
	return append([]string{".git"}, slices.DeleteFunc(slices.Clone(protect.Project), func(name string) bool { return strings.HasPrefix(name, ".git/") })...)
}

// startedFiles describes the files in a writable path that start programs, as "contains …" or "is part of
// …". It returns "" if there are none.
func startedFiles(path string, guards bool) string {
	var found []string
	slashed := filepath.ToSlash(path) + "/"
	starts := projectStarts()
	for i, name := range slices.Concat(starts, projectCommands) {
		if strings.Contains(slashed, "/"+name+"/") {
			return "is part of " + name
		}
		if guards && i < len(starts) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(path, filepath.FromSlash(name))); err == nil && len(found) < 3 {
			found = append(found, name)
		}
	}
	if found == nil {
		return ""
	}
	return "contains " + strings.Join(found, ", ")
}

// isSystemPath reports whether a path is within, or contains, a system folder from which programs
// start.
func isSystemPath(path string) bool {
	for _, dir := range []string{"/etc", "/usr", "/opt", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/var/spool/cron", "/var/lib", "/root", "/Library", "/System", "/Applications"} {
		if paths.Within(path, dir) || paths.Within(dir, path) {
			return true
		}
	}
	return false
}

// onPath reports whether a path is within, or contains, a folder of the search path.
func onPath(path string) bool {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(dir) && (paths.Within(path, dir) || path != "/" && paths.Within(dir, path)) {
			return true
		}
	}
	return false
}
