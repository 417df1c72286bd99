package transfer

import (
	"maps"
	"path/filepath"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
)

// withEnvFile returns an entry with the variables of its envFile, as in VS Code and Cursor. The
// variables in its env take precedence. If the file cannot be read, it returns the entry unchanged, so
// that a note mentions the file.
func withEnvFile(m map[string]any, sys launch.System) map[string]any {
	name, _ := m["envFile"].(string)
	if name == "" || sys.Read == nil {
		return m
	}
	for ref, folder := range map[string]string{"${workspaceFolder}": sys.Dir, "${userHome}": sys.Home} {
		if folder != "" {
			name = strings.ReplaceAll(name, ref, folder)
		}
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok && sys.Home != "" {
		name = filepath.Join(sys.Home, rest)
	}
	if !filepath.IsAbs(name) && sys.Dir != "" {
		name = filepath.Join(sys.Dir, name)
	}
	if !filepath.IsAbs(name) {
		return m
	}
	data, err := sys.Read(name, maxEnvFile)
	list, ok := config.ParseVariables(string(data))
	if err != nil || !ok {
		return m
	}
	env := make(map[string]any)
	for _, v := range list {
		env[v.Name] = v.Value
	}
	own, _ := m["env"].(map[string]any)
	maps.Copy(env, own)
	m = maps.Clone(m)
	m["env"] = env
	delete(m, "envFile")
	return m
}
