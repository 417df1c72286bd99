package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"goated/internal/ansi"
	"goated/internal/state"
)

// Official is the URL of the official registry.
const Official = "https://registry.modelcontextprotocol.io"

const (
	pageSize  = 100
	maxPages  = 20
	maxAnswer = 16 << 20 // limit of one page, in bytes
	fresh     = 10 * time.Minute
	keepStale = 30 * 24 * time.Hour
	maxCached = 300
	timeLimit = 30 * time.Second
)

// A Client queries a registry. It is safe for concurrent use.
type Client struct {
	Base  string       // URL of the registry; empty: [Official]
	Cache string       // folder for cached answers; empty: no cache
	HTTP  *http.Client // nil: a client with a timeout
}

// errNotFound means that the registry has no such server or version.
var errNotFound = errors.New("the registry has no such server")

// Results contains the results of a search.
type Results struct {
	Servers []Server
	More    bool      // there are more results
	At      time.Time // time of an old answer, if the registry was unreachable; otherwise zero
}

// Search finds at most limit servers whose name, title or description contains all words, in their
// latest version. It omits deleted servers, and lists deprecated ones last.
func (c *Client) Search(ctx context.Context, words string, limit int) (Results, error) {
	terms := strings.Fields(strings.ToLower(words))
	longest := ""
	for _, t := range terms {
		if len(t) > len(longest) {
			longest = t
		}
	}
	r, err := c.search(ctx, longest, terms, limit)
	if err != nil || len(r.Servers) > 0 || longest == "" {
		return r, err
	}
	return c.search(ctx, "", terms, limit) // the registry searches only names
}

// search requests the servers whose name contains word, and returns those with all terms.
func (c *Client) search(ctx context.Context, word string, terms []string, limit int) (Results, error) {
	var r Results
	seen := make(map[string]bool)
	cursors := make(map[string]bool)
	for cursor, page := "", 0; page < maxPages; page++ {
		q := url.Values{"limit": {strconv.Itoa(pageSize)}, "version": {"latest"}}
		if word != "" {
			q.Set("search", word)
		}
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		var list struct {
			Servers  []answer `json:"servers"`
			Metadata struct {
				Next string `json:"nextCursor"`
			} `json:"metadata"`
		}
		at, err := c.get(ctx, "/v0.1/servers?"+q.Encode(), &list)
		if err != nil {
			return r, err
		}
		if !at.IsZero() {
			r.At = at
		}
		for _, a := range list.Servers {
			s := a.server()
			if seen[s.Name] || s.Registry.Status == "deleted" || !ValidName(s.Name) || !s.has(terms) {
				continue
			}
			seen[s.Name] = true
			if len(r.Servers) == limit {
				r.More = true
				return r.sorted(), nil
			}
			r.Servers = append(r.Servers, s)
		}
		next := list.Metadata.Next
		if next == "" || cursors[next] { // a repeated cursor would loop forever
			return r.sorted(), nil
		}
		cursors[next], cursor = true, next
	}
	r.More = true
	return r.sorted(), nil
}

func (r Results) sorted() Results {
	slices.SortStableFunc(r.Servers, func(a, b Server) int {
		return cmp.Compare(rank(a.Registry.Status), rank(b.Registry.Status))
	})
	return r
}

func rank(status string) int {
	if status == "deprecated" {
		return 1
	}
	return 0
}

func (s Server) has(terms []string) bool {
	text := strings.ToLower(s.Name + " " + s.Title + " " + s.Description)
	return !slices.ContainsFunc(terms, func(t string) bool { return !strings.Contains(text, t) })
}

// Find returns one version of a server; "latest" or empty means the latest.
func (c *Client) Find(ctx context.Context, name, version string) (Server, error) {
	if !ValidName(name) {
		return Server{}, fmt.Errorf("%q is not the name of a server in the registry, such as io.github.user/weather", name)
	}
	var a answer
	if _, err := c.get(ctx, "/v0.1/servers/"+url.PathEscape(name)+"/versions/"+url.PathEscape(cmp.Or(version, "latest")), &a); err != nil {
		return Server{}, err
	}
	s := a.server()
	if s.Name != name {
		return Server{}, fmt.Errorf("the registry answers with another server, %.100q", s.Name)
	}
	if s.Registry.Status == "deleted" {
		return Server{}, fmt.Errorf("%w: it was deleted", errNotFound)
	}
	return s, nil
}

// An answer is a server with the registry's metadata.
type answer struct {
	Server Server `json:"server"`
	Meta   struct {
		Official Registry `json:"io.modelcontextprotocol.registry/official"`
	} `json:"_meta"`
}

func (a answer) server() Server {
	s := a.Server
	s.Registry = a.Meta.Official
	s.Title, s.Description, s.Version = plain(s.Title), plain(s.Description), plain(s.Version)
	return s
}

// plain returns a text from the registry without control sequences and line breaks, so that it is
// safe to show.
func plain(text string) string {
	return strings.Join(strings.Fields(ansi.Strip(strings.ToValidUTF8(text, ""))), " ")
}

// get requests a document, or reads it from the cache. If the registry is unreachable, it uses an
// old answer, and at is the time of that answer.
func (c *Client) get(ctx context.Context, path string, v any) (at time.Time, err error) {
	address := strings.TrimSuffix(cmp.Or(c.Base, Official), "/") + path
	body, age := c.cached(address)
	if body != nil && age < fresh && json.Unmarshal(body, v) == nil {
		return time.Time{}, nil
	}
	got, err := c.fetch(ctx, address)
	if err != nil {
		if body != nil && ctx.Err() == nil && !errors.Is(err, errNotFound) && json.Unmarshal(body, v) == nil {
			return time.Now().Add(-age), nil
		}
		return time.Time{}, fmt.Errorf("asking the MCP registry: %w", err)
	}
	if err := json.Unmarshal(got, v); err != nil {
		return time.Time{}, errors.New("asking the MCP registry: its answer is not JSON of the right form")
	}
	c.keep(address, got)
	return time.Time{}, nil
}

func (c *Client) fetch(ctx context.Context, address string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, errors.New("the address of the registry is invalid")
	}
	r.Header.Set("Accept", "application/json")
	by := c.HTTP
	if by == nil {
		by = &http.Client{Timeout: timeLimit}
	}
	resp, err := by.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case resp.StatusCode == http.StatusNotFound:
		return nil, errNotFound
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("it answers with HTTP %d", resp.StatusCode)
	case err != nil:
		return nil, err
	case len(body) > maxAnswer:
		return nil, errors.New("its answer is too long")
	}
	return body, nil
}

// cached returns a cached answer and its age, or nil if there is none.
func (c *Client) cached(address string) ([]byte, time.Duration) {
	if c.Cache == "" {
		return nil, 0
	}
	path := c.file(address)
	info, err := os.Stat(path)
	if err != nil || time.Since(info.ModTime()) > keepStale {
		return nil, 0
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, 0
	}
	return body, max(time.Since(info.ModTime()), 0)
}

func (c *Client) file(address string) string {
	return filepath.Join(c.Cache, fmt.Sprintf("%x.json", sha256.Sum256([]byte(address))))
}

// keep writes an answer to the cache and removes the oldest ones. It ignores errors.
func (c *Client) keep(address string, body []byte) {
	if c.Cache == "" || os.MkdirAll(c.Cache, 0o700) != nil {
		return
	}
	if state.ReplaceBytes(c.file(address), body) != nil {
		return
	}
	entries, err := os.ReadDir(c.Cache)
	if err != nil || len(entries) <= maxCached {
		return
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return modified(a).Compare(modified(b)) })
	for _, e := range entries[:len(entries)-maxCached] {
		_ = os.Remove(filepath.Join(c.Cache, e.Name()))
	}
}

func modified(e os.DirEntry) time.Time {
	info, err := e.Info()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
