package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"goated/internal/sandbox/browser"
)

// maxTempAge is the age at which temporary files are removed.
const maxTempAge = 24 * time.Hour

// writable returns all paths that the process may write.
func (p Policy) writable() []string {
	return append(p.created(), p.Present...)
}

// created returns the paths that Start creates.
func (p Policy) created() []string {
	out := p.Write[:len(p.Write):len(p.Write)]
	for _, own := range []string{p.State, p.Temp, p.Packages.Store} {
		if own != "" {
			out = append(out, own)
		}
	}
	if p.Shm {
		out = append(out, shm)
	}
	return out
}

// environment returns the variables that point to the process's folders.
func (p Policy) environment() []string {
	var out []string
	if p.State != "" {
		out = append(out, "STATE_DIRECTORY="+p.State)
	}
	if p.Temp != "" {
		out = append(out, "TMPDIR="+p.Temp)
	}
	if p.Browser {
		home, _ := os.UserHomeDir()
		out = append(out, browser.Environment(p.State, home)...)
	}
	return out
}

// environment returns the variables that make the process use the proxy for every host. It leaves
// out variables that the user set, because a company's proxy is a host that the user can allow. The
// process must reach the proxy itself directly: axios on Node 22 or newer would ask the proxy for
// the proxy. In a private network, other protocols need no proxy, so ALL_PROXY is missing there. With
// it, MongoDB's drivers would open a tunnel, and listen for its connections.
func (p *proxy) environment(own []string, private bool) []string {
	out := []string{"NODE_USE_ENV_PROXY=1"}
	set, url := strings.ToUpper("\n"+strings.Join(own, "\n")), "http://"+p.addr.String()
	list := []string{"NO_PROXY=" + p.addr.String(), "HTTP_PROXY=" + url, "HTTPS_PROXY=" + url}
	if !private {
		list = append(list, "ALL_PROXY="+url)
	}
	for _, kv := range list {
		if name, value, _ := strings.Cut(kv, "="); !strings.Contains(set, "\n"+name+"=") {
			out = append(out, kv, strings.ToLower(name)+"="+value)
		}
	}
	return out
}

// removeOldTemp removes old temporary files of the process.
func (p Policy) removeOldTemp() {
	if p.Temp == "" {
		return
	}
	entries, err := os.ReadDir(p.Temp)
	if err != nil {
		return // the folder is empty or unreadable
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > maxTempAge {
			_ = os.RemoveAll(filepath.Join(p.Temp, e.Name())) // the next start tries again
		}
	}
}
