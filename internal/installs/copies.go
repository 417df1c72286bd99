package installs

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goated/internal/state"
)

// Copies copies the user's configuration of git, npm and pip into a folder, without passwords and
// tokens. It returns the variables that point to the copies. If a program has no configuration, its
// copy is empty, so that the variables are the same at each start. The variables also let Puppeteer
// start this computer's browser. No server may be able to write to the folder.
func Copies(ctx context.Context, folder string, env []string, home string) ([]string, error) {
	variables := upper(env)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("copying the configuration of programs: %w", err)
	}
	config := cmp.Or(variables["XDG_CONFIG_HOME"], filepath.Join(home, ".config"))
	var out []string
	for _, c := range []struct{ name, variable, text string }{
		{"npmrc", "npm_config_userconfig", npmrc(cmp.Or(variables["NPM_CONFIG_USERCONFIG"], filepath.Join(home, ".npmrc")))},
		{"pip.conf", "PIP_CONFIG_FILE", pipConf(pipFiles(variables, home))},
		{"gitconfig", "GIT_CONFIG_GLOBAL", gitconfig(ctx, filepath.Join(config, "git", "config"), cmp.Or(variables["GIT_CONFIG_GLOBAL"], filepath.Join(home, ".gitconfig")))},
	} {
		file := filepath.Join(folder, c.name)
		if old, err := os.ReadFile(file); err != nil || string(old) != c.text {
			if err := state.ReplaceBytes(file, []byte(c.text)); err != nil {
				return nil, fmt.Errorf("copying the configuration of programs: %w", err)
			}
		}
		out = append(out, c.variable+"="+file)
	}
	return append(out, browser(folder)...), nil
}

// npmSettings lists the npm settings that a copy keeps, besides the registries.
var npmSettings = []string{"strict-ssl", "cafile", "ca", "fetch-retries", "fetch-timeout", "maxsockets", "network-timeout", "engine-strict", "legacy-peer-deps", "node-options", "omit"}

// npmrc returns npm's configuration without tokens.
func npmrc(file string) string {
	var out strings.Builder
	for _, s := range settingsOf(file) {
		name := strings.ToLower(s.name)
		if (name == "registry" || strings.HasSuffix(name, ":registry") || slices.Contains(npmSettings, name)) && !strings.Contains(s.value, "@") {
			fmt.Fprintf(&out, "%s=%s\n", s.name, s.value)
		}
	}
	return out.String()
}

// pipSettings lists the pip settings that a copy keeps.
var pipSettings = []string{"index-url", "extra-index-url", "find-links", "trusted-host", "cert", "timeout", "retries"}

// pipConf returns pip's configuration without passwords.
func pipConf(files []string) string {
	kept := make(map[string]string)
	for _, file := range files {
		for _, s := range pipSettingsOf(file) {
			if slices.Contains(pipSettings, s.name) && !strings.Contains(s.value, "@") {
				kept[s.name] = s.value
			}
		}
	}
	var out strings.Builder
	for _, name := range pipSettings {
		if value, ok := kept[name]; ok {
			if out.Len() == 0 {
				out.WriteString("[global]\n")
			}
			fmt.Fprintf(&out, "%s = %s\n", name, strings.ReplaceAll(value, " ", "\n    "))
		}
	}
	return out.String()
}

// gitSections lists the sections of git's configuration that a copy keeps. Other sections contain
// credentials, for example http.extraHeader, or run programs.
var gitSections = []string{"user", "author", "committer", "init", "color", "commit", "push", "pull", "fetch", "merge", "rebase", "diff", "log", "format", "i18n", "safe", "branch", "column", "advice", "status", "tag"}

// gitPrograms lists the settings in those sections that name a program to run, or a key.
var gitPrograms = []string{"user.signingkey", "commit.gpgsign", "tag.gpgsign", "push.gpgsign", "diff.external", "log.showsignature"}

// gitconfig returns git's configuration without credentials and programs. It asks git for the
// settings, because only git can read all forms of the file.
func gitconfig(ctx context.Context, files ...string) string {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var out strings.Builder
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxConfig {
			continue
		}
		list, err := exec.CommandContext(ctx, "git", "config", "--file", file, "--no-includes", "--null", "--list").Output()
		if err != nil {
			continue
		}
		for entry := range strings.SplitSeq(string(list), "\x00") {
			key, value, valued := strings.Cut(entry, "\n")
			section, rest, _ := strings.Cut(key, ".")
			if !slices.Contains(gitSections, section) || slices.Contains(gitPrograms, key) || strings.HasSuffix(key, "driver") || strings.HasSuffix(key, "command") || strings.HasSuffix(key, "tool") || strings.HasSuffix(key, "textconv") {
				continue
			}
			if !valued {
				value = "true"
			}
			head := "[" + section + "]"
			if i := strings.LastIndexByte(rest, '.'); i >= 0 {
				head, rest = "["+section+` "`+escape(rest[:i])+`"]`, rest[i+1:]
			}
			fmt.Fprintf(&out, "%s\n\t%s = \"%s\"\n", head, rest, escape(value))
		}
	}
	return out.String()
}

// escape escapes a value for a quoted string in git's configuration.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(text)
}
