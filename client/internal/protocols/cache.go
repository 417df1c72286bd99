// Package protocols remembers by which greeting each server of MCP is understood, so that its next
// start is faster. It owns the file of that. It must not know how servers are greeted.
package protocols

import (
	"errors"
	"log/slog"
	"sync"
	"time"

	"goated/internal/state"
)

const (
	// Legacy is the version for the greeting of servers that do not know
	// server/discover.
	Legacy = "2025-11-25"
	// NoProbeLimit is not a version: it is the greeting by server/discover without a
	// limit of its own, for servers that have answered it before. On a busy machine
	// they may start slowly, and the limit would start them twice.
	NoProbeLimit = "patient" // as the file has it
	// maxCached and cacheAge bound the entries.
	maxCached = 500
	cacheAge  = 30 * 24 * time.Hour
)

// A Cache remembers which servers know server/discover, so that the next start
// is faster. A lost entry only costs time. It is safe for concurrent use.
type Cache struct {
	path string
	log  *slog.Logger

	mu    sync.Mutex
	known map[string]cached
	read  bool
}

// NewCache returns the cache of a file; an empty path keeps the entries in memory.
func NewCache(path string, log *slog.Logger) *Cache { return &Cache{path: path, log: log} }

// cached is the greeting that a server understands, and when that was
// found out.
type cached struct {
	Version string    `json:"version"`
	Seen    time.Time `json:"seen"`
}

// Get returns the greeting for a server; empty if it is not known.
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

// Put stores the greeting of a server; an empty version removes it.
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

// file is the cache's file.
type file struct {
	Known map[string]cached `json:"known"`
}

// load reads the file once; the caller holds mu.
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

// save replaces the file; the caller holds mu.
func (p *Cache) save() {
	if p.path == "" {
		return
	}
	if err := (state.File{Path: p.path}).Save(file{p.known}); err != nil {
		p.log.Warn("writing the protocol cache", "cause", err)
	}
}
