package client

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quietTime is how long a script must not change before its server restarts: editors
// write in several steps.
const quietTime = 300 * time.Millisecond

// A reloader restarts servers whose scripts change. It belongs to its goroutine.
type reloader struct {
	host    *Host
	watcher *fsnotify.Watcher
	scripts map[string]*watched // by the ids of their servers
	due     *time.Timer         // for the scripts that changed last
}

// A watched script is the state of a script when its server last started.
type watched struct {
	dir     string
	source  string // a file; empty: all Go files of dir
	stamp   string
	changed bool // since its last start
}

// reload restarts the servers whose scripts change, until ctx ends.
func reload(ctx context.Context, h *Host) {
	w, err := fsnotify.NewWatcher()
	if err != nil { // such as too many for this user
		h.o.Logger.Warn("watching the scripts of servers", "cause", err)
		return
	}
	defer w.Close()
	r := &reloader{host: h, watcher: w, scripts: make(map[string]*watched), due: time.NewTimer(time.Hour)}
	defer r.due.Stop()
	for {
		h.list.mu.Lock()
		listed := h.list.changed
		h.list.mu.Unlock()
		r.follow()
		select {
		case <-ctx.Done():
			return
		case <-listed:
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			r.note(e.Name)
		case <-w.Errors: // lost events; the next change counts
		case <-r.due.C:
			r.restart(ctx)
		}
	}
}

// follow watches the scripts of the servers in the list, and no others.
func (r *reloader) follow() {
	wanted := make(map[string]*watched)
	r.host.list.mu.Lock()
	configs := make(map[string]Config)
	for _, s := range r.host.list.servers {
		configs[s.view.ID] = s.config
	}
	r.host.list.mu.Unlock()
	for id, c := range configs {
		if dir, source, ok := c.sources(); ok {
			wanted[id] = &watched{dir: dir, source: source}
		}
	}
	for id, s := range r.scripts {
		if now := wanted[id]; now == nil || now.dir != s.dir || now.source != s.source {
			delete(r.scripts, id)
			r.release(s.dir)
		}
	}
	for id, s := range wanted {
		if r.scripts[id] == nil && r.watcher.Add(s.dir) == nil {
			r.scripts[id], s.stamp = s, stampOf(s.dir, s.source)
		}
	}
}

// release stops watching a folder that no script needs.
func (r *reloader) release(dir string) {
	for _, s := range r.scripts {
		if s.dir == dir {
			return
		}
	}
	_ = r.watcher.Remove(dir) // it may be gone
}

// note marks the scripts that a change of a file concerns.
func (r *reloader) note(path string) {
	for _, s := range r.scripts {
		if filepath.Dir(path) == s.dir && (s.source == filepath.Base(path) || s.source == "" && filepath.Ext(path) == ".go") {
			s.changed = true
			r.due.Reset(quietTime)
		}
	}
}

// restart restarts the servers whose scripts have changed.
func (r *reloader) restart(ctx context.Context) {
	h := r.host
	for id, s := range r.scripts {
		if !s.changed {
			continue
		}
		s.changed = false
		stamp := stampOf(s.dir, s.source)
		if stamp == "" || stamp == s.stamp { // it is being replaced, or is as before
			continue
		}
		s.stamp = stamp
		h.wg.Go(func() {
			h.o.Logger.Info("a script changed, so its server restarts", "server", id)
			_ = h.Restart(ctx, id) // its card and the log show a failure
			h.list.update(func() {
				for _, s := range h.list.servers {
					if s.view.ID == id {
						s.view.Reloads++
					}
				}
			})
		})
	}
}

// sources returns the files of this computer that a server runs: a script, or the Go files
// of a folder. ok is false for servers of packages, and for goated's own.
func (c Config) sources() (dir, source string, ok bool) {
	if c.Bundled || c.URL != "" {
		return "", "", false
	}
	path := c.Path
	if c.Command != "" {
		if given, isGo := goSource(Launch{Programs: []string{c.Command}, Args: c.Args}); isGo && filepath.Ext(given) != ".go" {
			dir, err := filepath.Abs(filepath.Join(c.Dir, given))
			return dir, "", err == nil
		}
		script, err := c.script("")
		if err != nil || script == "" {
			return "", "", false
		}
		path = script
	}
	path, err := filepath.Abs(path)
	if err != nil || strings.Contains(path, string(filepath.Separator)+"node_modules"+string(filepath.Separator)) {
		return "", "", false
	}
	if filepath.Ext(path) == ".go" && packageSource(path) == "." {
		return filepath.Dir(path), "", true
	}
	return filepath.Dir(path), filepath.Base(path), true
}

// stampOf tells apart the states of a script: by sizes and times. Empty: it does not
// exist, or has no content yet.
func stampOf(dir, source string) string {
	names := []string{source}
	if source == "" {
		names, _ = filepath.Glob(filepath.Join(dir, "*.go"))
		for i, name := range names {
			names[i] = filepath.Base(name)
		}
	}
	stamp := ""
	for _, name := range names {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Size() == 0 {
			return ""
		}
		stamp += fmt.Sprintf("%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	return stamp
}
