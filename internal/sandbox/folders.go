package sandbox

import (
	"os"
	"path/filepath"
	"time"
)

// maxTempAge is the age at which a temporary file is swept up.
const maxTempAge = 24 * time.Hour

// writable are all paths that the process may write.
func (p Policy) writable() []string {
	return append(p.created(), p.Present...)
}

// created are those that are made where they are missing.
func (p Policy) created() []string {
	out := p.Write[:len(p.Write):len(p.Write)]
	for _, own := range []string{p.State, p.Temp} {
		if own != "" {
			out = append(out, own)
		}
	}
	if p.Shm {
		out = append(out, shm)
	}
	return out
}

// environment tell the process where it may write. Start sets them, over what it is given.
func (p Policy) environment() []string {
	var out []string
	if p.State != "" {
		out = append(out, "STATE_DIRECTORY="+p.State)
	}
	if p.Temp != "" {
		out = append(out, "TMPDIR="+p.Temp)
	}
	return out
}

// environment tell the process of its proxy. To no host it goes without: the proxy
// knows which may be reached.
func (p *proxy) environment() []string {
	url := "http://" + p.addr.String()
	out := []string{"NO_PROXY=", "no_proxy=", "NODE_USE_ENV_PROXY=1"}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		out = append(out, name+"="+url)
	}
	return out
}

// removeOldTemp removes its old temporary files.
func (p Policy) removeOldTemp() {
	if p.Temp == "" {
		return
	}
	entries, err := os.ReadDir(p.Temp)
	if err != nil {
		return // there is nothing to sweep, then
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > maxTempAge {
			_ = os.RemoveAll(filepath.Join(p.Temp, e.Name())) // the next start tries again
		}
	}
}
