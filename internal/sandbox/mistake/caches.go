package mistake

import "path/filepath"

// systemCaches are caches of the system, which only the administrator writes: package managers,
// fonts and manuals. Installers try them without success.
var systemCaches = []string{"/var/cache", "/var/lib/apt", "/var/lib/dpkg", "/var/lib/rpm", "/var/log/apt", "/var/log/dpkg.log", "/run/dpkg"}

// ownCaches are caches below the home folder that libraries fill by the way, and without which they
// work: of fonts, shaders, and what was typed.
var ownCaches = []string{
	".cache/fontconfig", ".fontconfig", ".cache/mesa_shader_cache", ".cache/mesa_shader_cache_db", ".cache/nvidia", ".nv", ".cache/gstreamer-1.0", ".cache/matplotlib",
	".cache/fontTools", ".python_history", ".node_repl_history",
}

// Caches returns the files and folders whose loss harms no program. home may be empty.
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
