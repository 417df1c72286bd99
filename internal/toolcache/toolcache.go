// Package toolcache stores the last list of tools of each server, and the time when one of them was
// last called, in a folder with two small files for each server. If a file is lost, goated shows no
// tools until the server has started. It must not know hosts or windows.
package toolcache

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/state"
)

// maxSize limits the size of a list's file, in bytes. Longer lists are not stored.
const maxSize = 4 << 20

// usedEvery is the precision of the time of the last call.
const usedEvery = time.Minute

// A Store is such a folder. It is safe for concurrent use, also by several processes. A Store
// without a folder stores nothing.
type Store struct {
	dir string

	mu   sync.Mutex
	used map[string]time.Time   // as written to the file
	put  map[string][]*mcp.Tool // written by this process
}

// New returns the store in a folder, and creates the folder with the first write. With an empty dir
// it stores nothing.
func New(dir string) *Store {
	return &Store{dir: dir, used: make(map[string]time.Time), put: make(map[string][]*mcp.Tool)}
}

// A list is the content of a list's file.
type list struct {
	Tools []*mcp.Tool `json:"tools"`
}

func (s *Store) file(key, ending string) string { return filepath.Join(s.dir, key+ending) }

// Get returns the tools that a server listed last, and the time when one of its tools was last
// called. Unknown values are zero.
func (s *Store) Get(key string) (tools []*mcp.Tool, used time.Time) {
	if s.dir == "" {
		return nil, time.Time{}
	}
	if info, err := os.Stat(s.file(key, ".used")); err == nil {
		used = info.ModTime()
	}
	s.mu.Lock()
	tools, ok := s.put[key]
	s.mu.Unlock()
	if ok {
		return tools, used
	}
	data, err := os.ReadFile(s.file(key, ".json"))
	var l list
	if err != nil || json.Unmarshal(data, &l) != nil {
		return nil, used
	}
	for _, t := range l.Tools {
		if t == nil {
			return nil, used // Put did not write it
		}
	}
	return l.Tools, used
}

// Put stores the list of a server, which must not change after that. Get returns it at once. The
// returned function writes it to the file, unless the file is up to date.
func (s *Store) Put(key string, tools []*mcp.Tool) (write func() error) {
	if s.dir == "" {
		return func() error { return nil }
	}
	s.mu.Lock()
	s.put[key] = tools
	s.mu.Unlock()
	return func() error { return s.write(key, tools) }
}

func (s *Store) write(key string, tools []*mcp.Tool) error {
	l := list{Tools: make([]*mcp.Tool, 0, len(tools))}
	for _, t := range tools {
		if t != nil {
			l.Tools = append(l.Tools, t)
		}
	}
	data, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("keeping a list of tools: %w", err)
	}
	path := s.file(key, ".json")
	if len(data) > maxSize {
		if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	if was, err := os.ReadFile(path); err == nil && bytes.Equal(was, data) {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	return state.WriteFile(path, data)
}

// Used records the time of a call to a server's tool. It writes at most once a minute for each
// server.
func (s *Store) Used(key string, at time.Time) error {
	if s.dir == "" {
		return nil
	}
	s.mu.Lock()
	if at.Sub(s.used[key]) < usedEvery {
		s.mu.Unlock()
		return nil
	}
	s.used[key] = at
	s.mu.Unlock()
	path := s.file(key, ".used")
	if err := os.Chtimes(path, at, at); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Chtimes(path, at, at)
}
