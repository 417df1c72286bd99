package codedigest

import (
	"fmt"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// Line describes on one line, for users, how a program starts: the variables that load other code,
// the program with its arguments, and its working directory.
func Line(env, argv []string, dir string) string {
	var words []string
	for _, kv := range env {
		if shown, ok := loads(kv); ok {
			words = append(words, shown)
		}
	}
	words = append(words, argv...)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\") {
			words[i] = fmt.Sprintf("%q", w)
		}
	}
	line := strings.Join(words, " ")
	if dir != "" {
		line += " in " + dir
	}
	return line
}

// loads reports whether a variable, as "NAME=value", affects which code a server runs. It returns
// the variable without passwords.
func loads(kv string) (shown string, ok bool) {
	if name, _, _ := strings.Cut(kv, "="); !slices.Contains(loading, name) {
		return "", false
	}
	return userinfo.ReplaceAllString(kv, "://"), true
}

var userinfo = lazyregexp.New(`://[^/@\s]*@`) // the user and the password of a URL

// loading lists the variables that make a runtime load other code, or a package manager install
// other code.
var loading = []string{
	"LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "PATH", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "NODE_OPTIONS", "NODE_PATH", "RUBYOPT", "RUBYLIB", "PERL5LIB", "PERL5OPT", "GOFLAGS", "GOPROXY", "GONOSUMDB", "GONOSUMCHECK", "GOPRIVATE", "GOSUMDB", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "BASH_ENV", "ENV", "LD_AUDIT", "DYLD_LIBRARY_PATH", "PYTHONUSERBASE", "DOTNET_STARTUP_HOOKS", "DOCKER_HOST", "npm_config_registry", "NPM_CONFIG_REGISTRY", "npm_config_userconfig", "NPM_CONFIG_USERCONFIG", "UV_INDEX", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_CONFIG_FILE", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE",
}
