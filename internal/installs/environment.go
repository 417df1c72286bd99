package installs

import (
	"os"
	"path/filepath"
	"strings"
)

// Environment returns variables that make package managers store everything below a folder, ask no
// questions, and not look for newer versions of themselves. The caller adds the user's own
// variables after them, so that those take precedence. home is the user's home folder: if uv has
// installed Pythons there, it uses those.
func Environment(store, home string) []string {
	in := func(names ...string) string { return filepath.Join(append([]string{store}, names...)...) }
	out := []string{
		"npm_config_cache=" + in("npm"),
		"npm_config_yes=true",            // npx asks no questions
		"npm_config_prefer_offline=true", // an installed package starts without the registry
		"npm_config_update_notifier=false", "npm_config_audit=false", "npm_config_fund=false",
		"NO_UPDATE_NOTIFIER=1",
		"COREPACK_HOME=" + in("corepack"), "COREPACK_ENABLE_DOWNLOAD_PROMPT=0",
		"YARN_CACHE_FOLDER=" + in("yarn"), "YARN_GLOBAL_FOLDER=" + in("yarn-global"),
		"BUN_INSTALL_CACHE_DIR=" + in("bun"), "DENO_DIR=" + in("deno"), "DENO_NO_UPDATE_CHECK=1",

		"UV_CACHE_DIR=" + in("uv"), "UV_TOOL_DIR=" + in("uv-tools"), "UV_TOOL_BIN_DIR=" + in("bin"), "UV_PYTHON_BIN_DIR=" + in("bin"),
		"UV_CREDENTIALS_DIR=" + in("uv-credentials"), "UV_NO_PROGRESS=1",
		"PIP_CACHE_DIR=" + in("pip"), "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1",
		"PIPX_HOME=" + in("pipx"), "PIPX_BIN_DIR=" + in("bin"), "PIPX_MAN_DIR=" + in("man"), "USE_EMOJI=0",
		"FASTMCP_CHECK_FOR_UPDATES=off", // FastMCP asks PyPI at each start
		"DO_NOT_TRACK=1",                // otherwise telemetry would cause a permission question at each start
	}
	// Before uv reports that a package does not exist, it looks for another Python, and creates the
	// folder for it.
	if _, err := os.Stat(filepath.Join(home, ".local", "share", "uv", "python")); err != nil {
		out = append(out, "UV_PYTHON_INSTALL_DIR="+in("python"))
	}
	if _, err := os.Stat(in(older)); err == nil {
		out = append(out, "UV_CONSTRAINT="+in(older))
	}
	if _, err := os.Stat(in(scriptless)); err == nil {
		out = append(out, "npm_config_ignore_scripts=true")
	}
	return out
}

// NoRetry is the variable that makes uv try a download only once.
const NoRetry = "UV_HTTP_RETRIES=0"

// inherited contains the package managers' variables that a server gets from the user's
// environment: which registry to use, and how to reach it.
var inherited = map[string]bool{
	"NPM_CONFIG_REGISTRY": true, "NPM_CONFIG_STRICT_SSL": true, "NPM_CONFIG_CAFILE": true,
	"PIP_INDEX_URL": true, "PIP_EXTRA_INDEX_URL": true, "PIP_FIND_LINKS": true, "PIP_CERT": true, "PIP_DEFAULT_TIMEOUT": true, "PIP_TRUSTED_HOST": true,
	"UV_INDEX_URL": true, "UV_EXTRA_INDEX_URL": true, "UV_INDEX": true, "UV_DEFAULT_INDEX": true, "UV_FIND_LINKS": true,
	"UV_INDEX_STRATEGY": true, "UV_HTTP_TIMEOUT": true, "UV_NATIVE_TLS": true, "UV_SYSTEM_CERTS": true, "UV_PYTHON": true, "UV_PYTHON_PREFERENCE": true,
	"REQUESTS_CA_BUNDLE": true, "CURL_CA_BUNDLE": true, "GIT_SSL_CAINFO": true,
}

// Inherited returns the variables of env that package managers need. It leaves out values that
// contain a password, as in https://user:password@host/.
func Inherited(env []string) []string {
	var out []string
	for _, kv := range env {
		name, value, ok := strings.Cut(kv, "=")
		if ok && inherited[strings.ToUpper(name)] && !strings.Contains(value, "@") {
			out = append(out, kv)
		}
	}
	return out
}
