package launch

import (
	"net"
	"net/url"
	"slices"
	"strings"
)

// ports maps a scheme to its default port. An empty port stands for the ports of the web.
var ports = map[string]string{
	"http": "", "https": "", "ws": "", "wss": "", "postgres": "5432", "postgresql": "5432", "mysql": "3306", "mariadb": "3306",
	"mongodb": "27017", "redis": "6379", "rediss": "6379", "amqp": "5672", "git+https": "", "git+http": "", "bolt": "7687", "neo4j": "7687",
}

// forges maps a prefix of npm, as in github:owner/repo, to the hosts from which npm gets the
// repository. npm asks git for the commit and downloads the archive.
var forges = map[string][]string{
	"github": {"github.com", "codeload.github.com"}, "gitlab": {"gitlab.com"}, "bitbucket": {"bitbucket.org"}, "gist": {"gist.github.com", "codeload.github.com"},
}

// Hosts returns the hosts in the arguments and the variables of a program, such as the database that it
// uses, without duplicates. Each is a name or an address. It includes the port unless that is one of
// the web. The hosts of a repository from which npm fetches a package are included. env has the form of
// os.Environ.
func Hosts(command string, args, env []string) (out []string) {
	add := func(host string) {
		if !slices.Contains(out, host) {
			out = append(out, host)
		}
	}
	program := Server{Command: command, Args: args}
	if program.Origin = (commands{}).origin(program).Origin; program.Registry() == "npm" && shorthand.MatchString(program.Origin.Package) {
		for _, host := range forges["github"] {
			add(host)
		}
	}
	for i, word := range slices.Concat(args, env) {
		if name, value, ok := strings.Cut(word, "="); ok && (i >= len(args) || strings.HasPrefix(name, "-")) {
			word = value
		}
		if _, address, ok := strings.Cut(word, " @ "); ok { // name @ git+https://…
			word = address
		}
		u, err := url.Parse(strings.TrimSpace(word))
		if err != nil {
			continue
		}
		if u.Opaque != "" {
			if strings.Contains(u.Opaque, "/") && i < len(args) {
				for _, host := range forges[u.Scheme] {
					add(host)
				}
			}
			continue
		}
		port, known := ports[strings.ToLower(u.Scheme)]
		host := strings.ToLower(u.Hostname())
		if !known || host == "" || strings.ContainsAny(host, "*,$<>{} ") {
			continue
		}
		if own := u.Port(); own != "" {
			port = own
		}
		if port != "" && port != "80" && port != "443" {
			host = net.JoinHostPort(host, port)
		}
		add(host)
	}
	return out
}
