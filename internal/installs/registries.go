package installs

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// These are the default registries of the package managers.
const (
	npmRegistry = "https://registry.npmjs.org/"
	pypi        = "https://pypi.org/simple"
	pypiFiles   = "https://files.pythonhosted.org/" // the target of the links in PyPI's index

	pythonReleases = "https://releases.astral.sh/"
)

// Registries returns the hosts from which the user's package managers download packages, as host or
// host:port, without duplicates. They come from env, which has the form of os.Environ, and from the
// configuration files below home. Where these name no registry, the default applies. Registries
// only reads files.
func Registries(env []string, home string) []string {
	variables := upper(env)
	var out []string
	add := func(text string) {
		u, err := url.Parse(strings.TrimSpace(text))
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && !slices.Contains(out, u.Host) {
			out = append(out, u.Host)
		}
	}
	for _, file := range npmFiles(variables, home) {
		for _, s := range settingsOf(file) {
			if strings.HasSuffix(strings.ToLower(s.name), ":registry") { // the registry of a scope
				add(s.value)
			}
		}
	}
	npm, index := mainRegistries(variables, home)
	add(npm)

	for _, file := range pipFiles(variables, home) {
		for _, s := range pipSettingsOf(file) {
			switch s.name {
			case "extra-index-url", "find-links":
				for _, one := range strings.Fields(s.value) {
					add(one)
				}
			}
		}
	}
	for _, name := range []string{"PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"} {
		add(variables[name])
	}
	for _, s := range settingsOf(filepath.Join(cmp.Or(variables["XDG_CONFIG_HOME"], filepath.Join(home, ".config")), "uv", "uv.toml")) {
		if name := strings.TrimSpace(s.name); name == "index-url" || name == "url" {
			add(strings.Trim(s.value, `"'`))
		}
	}
	for _, name := range []string{"PIP_EXTRA_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_INDEX"} {
		for _, one := range strings.Fields(variables[name]) {
			if _, after, named := strings.Cut(one, "=http"); named { // name=URL
				one = "http" + after
			}
			add(one)
		}
	}
	add(index)
	if strings.Contains(index, "//pypi.org/") {
		add(pypiFiles)
	}
	return out
}

// Pythons returns the hosts from which uv and uvx download a version of Python that this computer
// lacks, in the form of [Registries]. It returns none for other programs. uv tries another host
// only if these do not answer.
func Pythons(program string, env []string) []string {
	if name := strings.TrimSuffix(filepath.Base(program), ".exe"); name != "uv" && name != "uvx" {
		return nil
	}
	mirror := cmp.Or(upper(env)["UV_PYTHON_INSTALL_MIRROR"], pythonReleases)
	if u, err := url.Parse(mirror); err == nil && u.Host != "" {
		return []string{u.Host}
	}
	return nil
}

// Main returns the addresses of npm's registry and of pip's index, from the same configuration as
// [Registries].
func Main(env []string, home string) (npm, index string) { return mainRegistries(upper(env), home) }

func mainRegistries(variables map[string]string, home string) (npm, index string) {
	npm, index = npmRegistry, pypi
	for _, file := range npmFiles(variables, home) {
		for _, s := range settingsOf(file) {
			if strings.ToLower(s.name) == "registry" {
				npm = s.value
			}
		}
	}
	for _, file := range pipFiles(variables, home) {
		for _, s := range pipSettingsOf(file) {
			if s.name == "index-url" {
				index = s.value
			}
		}
	}
	for _, name := range []string{"PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"} {
		index = cmp.Or(variables[name], index)
	}
	return cmp.Or(variables["NPM_CONFIG_REGISTRY"], npm), index
}

// upper returns the variables of env with upper-case names.
func upper(env []string) map[string]string {
	variables := make(map[string]string)
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		variables[strings.ToUpper(name)] = value
	}
	return variables
}

// npmFiles lists npm's configuration files. Later ones take precedence.
func npmFiles(variables map[string]string, home string) []string {
	return []string{"/etc/npmrc", "/usr/etc/npmrc", cmp.Or(variables["NPM_CONFIG_USERCONFIG"], filepath.Join(home, ".npmrc"))}
}

// pipFiles lists pip's configuration files. Later ones take precedence.
func pipFiles(variables map[string]string, home string) []string {
	return []string{
		"/etc/pip.conf", filepath.Join(home, ".pip", "pip.conf"),
		filepath.Join(cmp.Or(variables["XDG_CONFIG_HOME"], filepath.Join(home, ".config")), "pip", "pip.conf"),
		variables["PIP_CONFIG_FILE"],
	}
}

// A setting is a line "name = value" of a configuration file.
type setting struct{ name, value string }

// maxConfig limits the size of a configuration file, in bytes.
const maxConfig = 1 << 20

// settingsOf reads the settings of a file in the format of .npmrc or uv.toml. It returns none if
// the file cannot be read. Each line is a separate setting, even an indented one.
func settingsOf(file string) []setting {
	var out []setting
	for line := range strings.Lines(textOf(file)) {
		if name, value, ok := strings.Cut(line, "="); ok && !strings.ContainsRune("#;[", rune(strings.TrimSpace(line)[0])) {
			out = append(out, setting{strings.TrimSpace(name), strings.TrimSpace(value)})
		}
	}
	return out
}

// pipSettingsOf reads the settings of a pip.conf as pip does, with the rules of Python's
// configparser: a line that is indented more than a setting continues its value, whatever the line
// contains. A name may also be written as --Index_URL.
func pipSettingsOf(file string) []setting {
	var out []setting
	indent, open := 0, false // of the last setting, which a line can continue
	for line := range strings.Lines(textOf(file)) {
		text := strings.TrimSpace(line)
		if text == "" || text[0] == '#' || text[0] == ';' {
			continue
		}
		depth := strings.Index(line, text)
		if open && depth > indent {
			out[len(out)-1].value += " " + text
			continue
		}
		indent, open = depth, false
		if at := strings.IndexAny(text, "=:"); at > 0 && text[0] != '[' {
			name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(text[:at])), "_", "-")
			out, open = append(out, setting{strings.TrimPrefix(name, "--"), strings.TrimSpace(text[at+1:])}), true
		}
	}
	return out
}

// textOf returns the text of a configuration file, or "" if it cannot be read.
func textOf(file string) string {
	info, err := os.Stat(file)
	if file == "" || err != nil || !info.Mode().IsRegular() || info.Size() > maxConfig {
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	return string(text)
}
