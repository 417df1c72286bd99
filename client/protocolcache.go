package client

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"goated/internal/proc"
	"goated/internal/state"
)

const (
	// legacy is the version for the greeting of servers that do not know
	// server/discover.
	legacy = "2025-11-25"
	// noProbeLimit is not a version: it is the greeting by server/discover without a
	// limit of its own, for servers that have answered it before. On a busy machine
	// they may start slowly, and the limit would start them twice.
	noProbeLimit = "patient" // as the file has it
	// maxCached and cacheAge bound the entries.
	maxCached = 500
	cacheAge  = 30 * 24 * time.Hour
)

// A protocolCache remembers which servers know server/discover, so that the next start
// is faster. A lost entry only costs time. It is safe for concurrent use.
type protocolCache struct {
	path string // of the file; empty keeps the entries in memory
	log  *slog.Logger

	mu    sync.Mutex
	known map[string]cachedProtocol
	read  bool
}

// A cachedProtocol is the greeting that a server understands, and when that was
// found out.
type cachedProtocol struct {
	Version string    `json:"version"`
	Seen    time.Time `json:"seen"`
}

// identity returns the key of a server in the cache. It changes with the program and the
// script (path, size and time), the arguments, and the server's own environment.
func (c Config) identity(run proc.Command) string {
	h := sha256.New()
	for _, path := range []string{run.Program, c.Path} {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(h, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	fmt.Fprintf(h, "%q %q %q %q\n", run.Dir, run.Args, c.Env, c.URL)
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// get returns the greeting for a server; empty if it is not known.
func (p *protocolCache) get(key string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.load()
	was := p.known[key]
	if was.Version != legacy && was.Version != noProbeLimit || time.Since(was.Seen) >= cacheAge {
		return ""
	}
	return was.Version
}

// put stores the greeting of a server; an empty version removes it.
func (p *protocolCache) put(key, version string) {
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
		p.known[key] = cachedProtocol{Version: version, Seen: time.Now()}
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

// A protocolFile is the cache's file.
type protocolFile struct {
	Known map[string]cachedProtocol `json:"known"`
}

// load reads the file once; the caller holds mu.
func (p *protocolCache) load() {
	if p.read {
		return
	}
	var kept protocolFile
	if p.read = true; p.path != "" {
		warning, err := state.File{Path: p.path}.Load(&kept)
		if err = errors.Join(warning, err); err != nil {
			p.log.Warn("reading the protocol cache", "cause", err)
		}
	}
	if p.known = kept.Known; p.known == nil {
		p.known = make(map[string]cachedProtocol)
	}
}

// save replaces the file; the caller holds mu.
func (p *protocolCache) save() {
	if p.path == "" {
		return
	}
	if err := (state.File{Path: p.path}).Save(protocolFile{p.known}); err != nil {
		p.log.Warn("writing the protocol cache", "cause", err)
	}
}
