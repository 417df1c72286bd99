package client

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Switch turns tools of a server off, named as the server names them, and all others
// on, at once and after each restart. A call that runs goes on. It reports whether there
// is a server of that id.
func Switch(h *Host, id string, off []string) bool {
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

// Key names a server in [KeptOptions.ToolLists], whatever its permissions.
func (c Config) Key() string {
	if c.Bundled {
		return "goated-" + c.Name
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", c.Name, c.subject(), c.Args, c.Dir)))[:24]
}

// keepTools keeps a list of tools for the next start.
func keepTools(s *server, tools []*mcp.Tool) {
	s.host.list.update(func() { s.view.Last = tools })
	write := s.host.lists.Put(s.key, tools)
	s.host.wg.Go(func() {
		if err := write(); err != nil {
			s.host.o.Logger.Warn("keeping a list of tools", "cause", err)
		}
	})
}

// Remembered returns the tools that a server listed last, which does not need to run,
// and when one of them was last called. It reads the disk.
func Remembered(h *Host, c Config) (tools []*mcp.Tool, used time.Time) { return h.lists.Get(c.Key()) }
