package client

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// SetToolsOff turns off the tools of a server with these names, as the server names them, and turns on all
// others. It takes effect immediately and after each restart. A running call continues. SetToolsOff
// reports whether a server has that id.
func SetToolsOff(h *Host, id string, off []string) bool {
	found := false
	h.list.update(func() {
		for _, s := range h.list.servers {
			if s.view.ID != id {
				continue
			}
			found = true
			s.off = slices.Clone(off)
			h.list.reg.Switch(id, off)
		}
	})
	return found
}

// Key returns the name of a server in [CacheOptions.ToolLists]. It does not depend on permissions.
func (c Config) Key() string {
	if c.Bundled {
		return "goated-" + c.Name
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", c.Name, c.subject(), c.Args, c.Dir)))[:24]
}

// keepTools saves a list of tools for the next start.
func keepTools(s *server, tools []*mcp.Tool) {
	s.host.list.update(func() { s.view.Last = tools })
	write := s.host.lists.Put(s.key, tools)
	s.host.wg.Go(func() {
		if err := write(); err != nil {
			s.host.o.Logger.Warn("keeping a list of tools", "cause", err)
		}
	})
}

// CachedTools returns the tools that a server listed last, and when one of them was last called. The
// server does not need to run. CachedTools reads the disk.
func CachedTools(h *Host, c Config) (tools []*mcp.Tool, used time.Time) { return h.lists.Get(c.Key()) }
