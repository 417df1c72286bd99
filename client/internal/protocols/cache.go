// Package protocols remembers which handshake each MCP server understands, so that the server
// starts faster next time. It owns the file that stores this. It must not know how the handshake
// works.
package protocols

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"goated/internal/state"
)

const (
	// Legacy is the version for the handshake with servers that do not support server/discover.
	Legacy = "2025-11-25"
	// NoProbeLimit is not a version. It stands for the handshake with server/discover without a
	// special timeout, for servers that responded to it before. On a busy machine they may start
	// slowly, and the timeout would start them twice.
	NoProbeLimit = "patient" // as stored in the file
	// maxCached and cacheAge bound the cache entries.
	maxCached = 500
	cacheAge  = 30 * 24 * time.Hour
)

// A Cache remembers which servers support server/discover, so that they start faster next time. A
// lost entry only costs time. A Cache is safe for concurrent use.
type Cache struct {
	path string
	log  *slog.Logger

	mu    sync.Mutex
	known map[string]cached
	read  bool
}

// NewCache returns a cache that is stored in a file. If path is empty, it keeps the entries only in
// memory.
func NewCache(path string, log *slog.Logger) *Cache { return &Cache{path: path, log: log} }

// cached is the handshake that a server understands, and the time of that observation.
type cached struct {
	Version string    `json:"version"`
	Seen    time.Time `json:"seen"`
}

// Get returns the handshake for a server, or "" if it is unknown.
func (p *Cache) Get(key string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	was := p.known[key]
	if was.Version != Legacy && was.Version != NoProbeLimit || time.Since(was.Seen) >= cacheAge {
		return ""
	}
	return was.Version
}

// Put stores the handshake for a server. An empty version removes it.
func (p *Cache) Put(key, version string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	was, ok := p.known[key]
	switch {
	case version == "" && !ok, version != "" && was.Version == version && time.Since(was.Seen) < cacheAge/2:
		return
	case version == "":
		delete(p.known, key)
	default:
		p.known[key] = cached{Version: version, Seen: time.Now()}
	}
	for len(p.known) > maxCached {
		oldest := ""
		for k, v := range p.known {
			if oldest == "" || v.Seen.Before(p.known[oldest].Seen) {
				oldest = k
			}
		}
		delete(p.known, oldest)
	}
	p.save()
}

// file is the content of the cache's file.
type file struct {
	Known map[string]cached `json:"known"`
}

// load reads the file once. The caller holds mu.
func (p *Cache) load() {
	if p.read {
		return
	}
	var kept file
	if p.read = true; p.path != "" {
		warning, err := state.File{Path: p.path}.Load(&kept)
		if err = errors.Join(warning, err); err != nil {
			p.log.Warn("reading the protocol cache", "cause", err)
		}
	}
	if p.known = kept.Known; p.known == nil {
		p.known = make(map[string]cached)
	}
}

// save replaces the file. The caller holds mu.
func (p *Cache) save() {
	if p.path == "" {
		return
	}
	if err := (state.File{Path: p.path}).Save(file{p.known}); err != nil {
		p.log.Warn("writing the protocol cache", "cause", err)
	}
}
