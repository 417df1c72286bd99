// Package environ decides which variables of the host a server inherits. It must not know of
// servers' configurations.
package environ

import (
	"strings"

	"goated/internal/proc"
)

// inherited are the variables of the host's environment that a server gets. A server is
// foreign code, so it gets no others, above all no keys. The list has the variables of the
// official SDKs (HOME to USER, and the block for Windows), and the variables for the user's
// language and folders.
var inherited = map[string]bool{
	"HOME": true, "LOGNAME": true, "PATH": true, "SHELL": true, "TERM": true, "USER": true,
	"LANG": true, "LANGUAGE": true, "TZ": true, "TMPDIR": true,
	"XDG_CACHE_HOME": true, "XDG_CONFIG_HOME": true, "XDG_DATA_HOME": true, "XDG_STATE_HOME": true,
	"XDG_RUNTIME_DIR": true, "XDG_DESKTOP_DIR": true, "XDG_DATA_DIRS": true,
	"SSL_CERT_FILE": true, "SSL_CERT_DIR": true, "NODE_EXTRA_CA_CERTS": true,
	"VIRTUAL_ENV": true, "NODE_PATH": true,

	"APPDATA": true, "COMSPEC": true, "HOMEDRIVE": true, "HOMEPATH": true, "LOCALAPPDATA": true,
	"PATHEXT": true, "PROCESSOR_ARCHITECTURE": true, "PROGRAMDATA": true, "PROGRAMFILES": true,
	"PROGRAMFILES(X86)": true, "PROGRAMW6432": true, "SYSTEMDRIVE": true, "SYSTEMROOT": true,
	"TEMP": true, "TMP": true, "USERNAME": true, "USERPROFILE": true, "WINDIR": true,
}

// goTool are further variables for servers that are compiled from source.
var goTool = map[string]bool{
	"GOPATH": true, "GOROOT": true, "GOCACHE": true, "GOMODCACHE": true, "GOFLAGS": true,
	"GOPROXY": true, "GOSUMDB": true, "GOTOOLCHAIN": true, "GOENV": true, "CGO_ENABLED": true,
}

// Inherited returns the part of env that a server run by program inherits, and extra.
// env has the form of os.Environ.
func Inherited(env []string, program string, extra []string) []string {
	var out []string
	for _, kv := range env {
		name, value, ok := strings.Cut(kv, "=")
		switch {
		case !ok || strings.HasPrefix(value, "()"): // a shell function, which runs code when a shell starts
			continue
		case inherited[proc.FoldName(name)], strings.HasPrefix(name, "LC_"):
		case program == "go" && goTool[name] && !strings.Contains(value, "@"): // a proxy's password
		default:
			continue
		}
		out = append(out, kv)
	}
	return append(out, extra...)
}

// WithPath replaces the value was of PATH by path, which found the server's own
// program. A PATH that the user set for the server stays.
func WithPath(env []string, was, path string) []string {
	for i, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if proc.FoldName(name) == "PATH" && value == was {
			env[i] = name + "=" + path
		}
	}
	return env
}
