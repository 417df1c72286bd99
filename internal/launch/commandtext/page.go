package commandtext

import (
	"net/url"
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// pageName matches a name in the address of a page. It excludes characters that are special in a shell.
var pageName = lazyregexp.New(`^[A-Za-z0-9_@][\w.+-]*$`)

// PageCommand returns the command that starts the package on a page of npm, PyPI, Docker Hub or a
// similar site.
func PageCommand(u *url.URL) ([]string, bool) {
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if slices.ContainsFunc(parts, func(p string) bool { return !pageName.MatchString(p) }) {
		return nil, false
	}
	after := func(n int) string { // a version
		if len(parts) > n {
			return "@" + parts[n]
		}
		return ""
	}
	switch host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."); {
	case host == "npmjs.com" && len(parts) > 1 && parts[0] == "package":
		pkg, rest := parts[1], parts[2:]
		if strings.HasPrefix(pkg, "@") {
			if len(rest) == 0 {
				return nil, false
			}
			pkg, rest = pkg+"/"+rest[0], rest[1:]
		}
		if len(rest) > 1 && rest[0] == "v" {
			pkg += "@" + rest[1]
		}
		return []string{"npx", "-y", pkg}, true
	case host == "registry.npmjs.org" && (len(parts) == 1 || len(parts) == 2 && parts[0][0] == '@'):
		return []string{"npx", "-y", strings.Join(parts, "/")}, true
	case host == "pypi.org" && len(parts) > 1 && parts[0] == "project", host == "pypi.python.org" && len(parts) > 1 && parts[0] == "pypi":
		return []string{"uvx", parts[1] + after(2)}, true
	case host == "hub.docker.com" && len(parts) > 2 && parts[0] == "mcp" && parts[1] == "server":
		return []string{"docker", "run", "-i", "--rm", "mcp/" + parts[2]}, true
	case host == "ghcr.io" && len(parts) > 1 && parts[0] != "v2":
		return []string{"docker", "run", "-i", "--rm", host + "/" + strings.Join(parts, "/")}, true
	case host == "pkg.go.dev" && len(parts) > 2 && strings.Contains(parts[0], "."):
		path, version, _ := strings.Cut(strings.Join(parts, "/"), "@")
		if version == "" {
			version = "latest"
		}
		return []string{"go", "run", path + "@" + version}, true
	case host == "hub.docker.com" && len(parts) > 2 && parts[0] == "r":
		return []string{"docker", "run", "-i", "--rm", parts[1] + "/" + parts[2]}, true
	case host == "hub.docker.com" && len(parts) > 1 && parts[0] == "_":
		return []string{"docker", "run", "-i", "--rm", parts[1]}, true
	}
	return nil, false
}
