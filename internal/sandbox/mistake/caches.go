package mistake

import "path/filepath"

// systemCaches are caches of the system that only root writes: package managers, fonts and manuals.
// Installers try to write them and fail.
var systemCaches = []string{"/var/cache", "/var/lib/apt", "/var/lib/dpkg", "/var/lib/rpm", "/var/log/apt", "/var/log/dpkg.log", "/run/dpkg"}

// ownCaches are caches below the home folder that libraries fill incidentally and can do without:
// fonts, shaders, and input histories.
var ownCaches = []string{
	".cache/fontconfig", ".fontconfig", ".cache/mesa_shader_cache", ".cache/mesa_shader_cache_db", ".cache/nvidia", ".nv", ".cache/gstreamer-1.0", ".cache/matplotlib",
	".cache/fontTools", ".python_history", ".node_repl_history",
}

// Caches returns files and folders that a program can do without. home may be empty.
func Caches(home string) []string {
	out := systemCaches[:len(systemCaches):len(systemCaches)]
	if home == "" {
		return out
	}
	for _, name := range ownCaches {
		out = append(out, filepath.Join(home, filepath.FromSlash(name)))
	}
	return out
}
