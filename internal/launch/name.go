package launch

import (
	"cmp"
	"net"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"goated/internal/launch/commandtext"
	"goated/internal/launch/manifest"
	"goated/internal/lazyregexp"
)

// nameOf derives a name for a server from the place where its code comes from. It returns "" if no name
// can be derived.
func (s names) nameOf(server Server) string {
	for _, n := range server.Notes {
		if n.Kind == Bridge {
			return HostName(n.Subject)
		}
	}
	if name := s.farName(server); name != "" {
		return name
	}
	switch o := server.Origin; o.Source {
	case NPM, PyPI, JSR, NuGet, Installed:
		if name := s.scriptName(server); name != "" {
			return name
		}
		if rest := wordsAfter(server.Args, "run"); o.Package == smitheryPackage && len(rest) > 0 {
			rest, _ = positional("", rest)
			if len(rest) > 0 {
				return shortName(rest[0])
			}
		}
		return shortName(o.Package)
	case Container, GoModule, Git:
		name := strings.TrimRight(o.Package, "/")
		if o.Source == GoModule { // .../cmd/name, .../v2
			name = regexp.MustCompile(`/v\d+$`).ReplaceAllString(name, "")
		}
		parts := strings.Split(name, "/")
		return shortName(strings.Join(parts[max(0, len(parts)-2):], "/")) // in playwright/mcp, the first part is more specific
	case Maven:
		return shortName(o.Package[strings.LastIndexByte(o.Package, ':')+1:])
	case Web:
		return HostName(server.Remote.URL)
	case Local:
		if name := s.fileName(o.Package); o.Package != server.Command {
			if !IsSpecificName(name) {
				name = cmp.Or(s.startedName(server, o.Package), name)
			}
			return name
		}
		return shortName(commandtext.ProgramName(s.fileName(o.Package)))
	}
	switch {
	case server.Path != "":
		return s.fileName(server.Path)
	case server.Remote.URL != "":
		return HostName(server.Remote.URL)
	}
	return shortName(commandtext.ProgramName(server.Command))
}

// farName returns a name for a server that ssh starts on another computer: that of the program there, or
// the computer's. It returns "" for other servers.
func (s names) farName(server Server) string {
	host, command, _ := commandtext.OverSSH(server.Words())
	if words := commandtext.LastCommand(command); len(words) > 0 {
		name := s.nameOf(commands(s).origin(Server{Kind: Program, Command: words[0], Args: words[1:]}))
		if _, script := runners[path.Ext(words[0])]; script {
			name = s.fileName(words[0])
		}
		if IsSpecificName(name) {
			return name
		}
	}
	if net.ParseIP(host) == nil {
		host, _, _ = strings.Cut(host, ".")
	}
	return host
}

// common are words of file names that do not describe a server. inner are folders that contain only a
// part of one.
var (
	common = []string{
		"index", "main", "server", "cli", "app", "bin", "start", "run", "proxy", "mcp", "client", "launcher", "launch", "wrapper",
		"stdio", "stdio-wrapper", "__main__", "__init__", "mcp_server", "mcp-server", "server_mcp", "entry", "entrypoint", "program", "script", "serve", "service", "test", "time_link",
	}
	inner = []string{
		"src", "dist", "build", "bin", "lib", "out", "cmd", "server", "servers", "mcp", "mcp-server", "mcp_server", "app", "target", "release", "debug",
		"node_modules", ".bin", ".venv", "venv", "scripts", "python", "packages", "source", "code", "site-packages", "esm", "cjs", "stdio", "main", "internal", "pkg", "tmp", "temp",
	}
)

// startedName returns a name for the program that a runner starts in a folder with a generic name, or
// "" if that is generic, too.
func (s names) startedName(server Server, folder string) string {
	_, words, _ := commandtext.InFolder(server.Words())
	for _, w := range words[1:] {
		if strings.HasPrefix(w, "-") || strings.HasPrefix(w, ".") || commandtext.Familiar(w) || slices.Contains(verbs, w) || s.absolute(w) == folder || strings.ContainsAny(w, `/\`) {
			continue
		}
		file, _, _ := strings.Cut(w, ":")
		if _, script := runners[filepath.Ext(file)]; script {
			w = strings.TrimSuffix(file, filepath.Ext(file))
		}
		if w = shortName(w); IsSpecificName(w) {
			return w
		}
	}
	return ""
}

// verbs are words with which runners start something.
var verbs = []string{"run", "run-script", "exec", "start", "dev", "task", "tool", "serve", "prod", "production"}

// standsIn matches the folders of a placeholder path such as /path/to/server or
// /ABSOLUTE/PATH/TO/PARENT/FOLDER/weather.
var standsIn = lazyregexp.New(`(?i)^(path|to|your|my|the|some|absolute|full|parent|folder|dir|directory|cloned|repo|users?|username|home|you|me|yourname|your[-_](user)?name)$|^[<{\[].*[>}\]]$`)

// fileName returns a name for the script or the folder at a path. It uses the name of the file. If that
// is generic, it uses the name of the package, or of the nearest folder with a specific name.
func (s names) fileName(path string) string {
	if !s.Windows && windowsPath.MatchString(path) {
		path = "/" + strings.ReplaceAll(path[3:], `\`, "/")
	}
	base := filepath.Base(path)
	name, general := base, ""
	if !s.isDir(path) {
		name = strings.TrimSuffix(base, filepath.Ext(base))
		if !slices.Contains(common, strings.ToLower(name)) && !standsIn.MatchString(name) {
			return name
		}
		path = filepath.Dir(s.real(path))
	}
	home := filepath.Clean(s.Home)
	for dir, up := path, 0; up < 12 && dir != filepath.Dir(dir) && dir != home; dir, up = filepath.Dir(dir), up+1 {
		if short := s.packageName(dir); short != "" {
			return short
		}
		own := filepath.Base(dir)
		if !slices.Contains(inner, strings.ToLower(own)) && !strings.HasPrefix(own, ".") && !strings.HasPrefix(own, "@") && !numeric.MatchString(own) && (!standsIn.MatchString(own) || s.isDir(dir)) {
			if short := shortName(own); !slices.Contains(common, strings.ToLower(short)) {
				return short
			}
		}
		if general == "" && slices.Contains(common, strings.ToLower(own)) {
			general = own
		}
	}
	if standsIn.MatchString(name) {
		name = "server"
	}
	return cmp.Or(general, name)
}

// numeric matches a folder name that a program generated.
var numeric = lazyregexp.New(`^[0-9]+$|^v[0-9.]+$|^[0-9a-f]{12,}$`)

// packageName returns the short name from a package file in a folder.
func (s names) packageName(dir string) string {
	if name := manifest.NodeName(s.text(filepath.Join(dir, "package.json"))); name != "" {
		return shortName(name)
	}
	if name := manifest.PythonName(s.text(filepath.Join(dir, "pyproject.toml"))); name != "" {
		return shortName(name)
	}
	return s.moduleName(dir)
}

// moduleName returns the short name of the Go module in a folder.
func (s names) moduleName(dir string) string {
	return shortName(manifest.GoModule(s.text(filepath.Join(dir, "go.mod"))))
}

// HostName derives a name from the distinctive part of a URL's host.
func HostName(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		host = "localhost" // tool names have no room for "server-127-0-0-1-8000"
	}
	if net.ParseIP(host) != nil || !strings.Contains(host, ".") {
		if u.Port() != "" {
			return host + "-" + u.Port()
		}
		return host
	}
	labels := strings.Split(host, ".")
	labels = labels[:len(labels)-1]                                                                        // the top-level domain
	if n := len(labels); n > 1 && len(labels[n-1]) <= 3 && (labels[n-1] == "co" || labels[n-1] == "com") { // of co.uk
		labels = labels[:n-1]
	}
	for len(labels) > 1 && slices.Contains([]string{"www", "mcp", "api", "server", "app", "docs", "remote", "sse", "gateway"}, labels[0]) {
		labels = labels[1:]
	}
	if len(labels) > 1 && slices.Contains([]string{"workers", "vercel", "netlify", "fly", "onrender", "herokuapp", "azurewebsites"}, labels[len(labels)-1]) {
		return shortName(labels[0])
	}
	return shortName(labels[len(labels)-1])
}

// shortName returns a package's name without the usual words for servers: "files" for
// "@modelcontextprotocol/server-files", "acme" for "@acme/mcp".
func shortName(name string) string {
	if _, after, ok := strings.Cut(name, ":"); ok { // jsr:, npm:
		name = after
	}
	scope, rest, scoped := strings.Cut(name, "/")
	if !scoped {
		scope, rest = "", name
	}
	if i := strings.LastIndexByte(rest, '/'); i >= 0 {
		rest = rest[i+1:]
	}
	words := strings.FieldsFunc(rest, func(r rune) bool { return r == '-' || r == '_' || r == '.' || unicode.IsSpace(r) })
	usual := func(w string) bool {
		low := strings.ToLower(w)
		return low == "mcp" || low == "server" || low == "servers"
	}
	for len(words) > 0 && usual(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && usual(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	switch {
	case len(words) > 0:
		return strings.Join(words, "-")
	case scope != "":
		return strings.TrimPrefix(scope, "@")
	}
	return rest
}

// IsSpecificName reports whether a name is specific to a server, unlike "server" or "my-mcp-server".
func IsSpecificName(name string) bool {
	low := strings.ToLower(strings.TrimSpace(name))
	low = strings.NewReplacer(" ", "-", "_", "-").Replace(low)
	if low == "" || slices.Contains(common, low) || instance.MatchString(low) {
		return false
	}
	for w := range strings.SplitSeq(low, "-") {
		switch w {
		case "mcp", "server", "example", "my", "test", "demo", "the", "a", "stdio", "fastmcp", "default", "app", "python", "typescript", "node", "simple", "":
		default:
			return true
		}
	}
	return false
}

// instance matches the name that FastMCP gives an unnamed server.
var instance = lazyregexp.New(`^fastmcp(-[0-9a-f]{4,})?$`)
