// Package environ decides which of the host's environment variables a server inherits. It must not
// know the configurations of servers.
package environ

import (
	"strings"

	"goated/internal/proc"
)

// inherited lists the variables that a server gets from the host's environment. A server is
// untrusted code, so it gets no others, and above all no keys. The list contains the variables of
// the official SDKs (HOME to USER, and the block for Windows), and variables for the user's
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

// goTool lists additional variables for servers that are compiled from source.
var goTool = map[string]bool{
	"GOPATH": true, "GOROOT": true, "GOCACHE": true, "GOMODCACHE": true, "GOFLAGS": true,
	"GOPROXY": true, "GOSUMDB": true, "GOTOOLCHAIN": true, "GOENV": true, "CGO_ENABLED": true,
}

// Inherited returns the part of env that a server inherits if program runs it, followed by extra.
// env has the form of os.Environ.
func Inherited(env []string, program string, extra []string) []string {
	var out []string
	for _, kv := range env {
		name, value, ok := strings.Cut(kv, "=")
		switch {
		case !ok || strings.HasPrefix(value, "()"): // a shell function, which runs code when a shell starts
			continue
		case program == "ssh" && name == "SSH_AUTH_SOCK": // the agent, which the sandbox does not let it reach
		case inherited[proc.FoldName(name)], strings.HasPrefix(name, "LC_"):
		case program == "go" && goTool[name] && !strings.Contains(value, "@"): // a proxy's password
		default:
			continue
		}
		out = append(out, kv)
	}
	return append(out, extra...)
}

// WithPath replaces the PATH value was with path, in which goated found the server's program. It
// keeps a PATH that the user set for the server.
func WithPath(env []string, was, path string) []string {
	for i, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if proc.FoldName(name) == "PATH" && value == was {
			env[i] = name + "=" + path
		}
	}
	return env
}
