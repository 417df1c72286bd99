package intent

import (
	"slices"
	"strings"

	"goated/internal/lazyregexp"
)

// hosts matches names and addresses of computers: db1.example.com, 192.168.1.10, localhost:8080. It
// does not match names with a file extension, such as .py and .sh.
var hosts = lazyregexp.New(`(?i)(?:^|[\s(])((?:(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|net|org|edu|gov|io|dev|info|biz|example|test|local|lan|internal|cloud|eu|de|uk|fr|nl|ch|at|it|es|se|jp|cn|us|ca|au|in|br)|\d{1,3}(?:\.\d{1,3}){3}|localhost)(?::\d{1,5})?)(?:[\s,;!?)]|\.(?:\s|$)|$)`)

// takesHost reports whether an argument is the name of a computer or a domain.
func takesHost(parts []string) bool {
	return len(parts) > 0 && slices.Contains([]string{"host", "hostname", "domain", "fqdn", "ip"}, parts[len(parts)-1])
}

// hostOf takes a host from the request, or from its URL.
func hostOf(f *filling) string {
	if h := f.take(host, nil); h != "" {
		return h
	}
	u := f.take(url, nil)
	if _, after, ok := strings.Cut(u, "://"); ok {
		u = after
	}
	u, _, _ = strings.Cut(u, "/")
	return u
}

// namesLocalPath reports whether the tool needs a repository of a service, but the request contains
// a path on this computer instead.
func (f *filling) namesLocalPath() bool {
	if !slices.Contains(f.required, "owner") || f.args["owner"] != nil {
		return false
	}
	return slices.ContainsFunc(f.of(path), func(e entity) bool { return strings.HasPrefix(e.text, "/") || strings.HasPrefix(e.text, "~") })
}
