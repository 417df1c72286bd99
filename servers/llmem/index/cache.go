package index

import (
	"encoding/binary"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"strings"

	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

// cacheVersion must change when the format of the cache or the rules for outlines change.
const cacheVersion = "goated llmem cache 8\n"

// maxCache bounds the size of a cache that is read, in bytes.
const maxCache = 512 << 20

// The cache consists of cacheVersion, the names and entries as lengths, texts and numbers, and a
// checksum of everything. An invalid cache is ignored.

type reader struct {
	s   string // the strings of entries share it
	bad bool
}

func (r *reader) number() int {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		if r.s == "" {
			break
		}
		c := r.s[0]
		r.s = r.s[1:]
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return int(n)
		}
	}
	r.bad = true
	return 0
}

func (r *reader) signed() int64 {
	u := uint64(r.number())
	n := int64(u >> 1)
	if u&1 != 0 {
		n = ^n
	}
	return n
}

// count reads a count of things that take at least one byte each.
func (r *reader) count() int {
	n := r.number()
	if n < 0 || n > len(r.s) {
		r.bad = true
		return 0
	}
	return n
}

func (r *reader) text() string {
	n := r.count()
	t := r.s[:n]
	r.s = r.s[n:]
	return t
}

const sumSize = 4

// checksum detects damage. It does not protect against attacks.
func checksum() hash.Hash32 { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// readString reads a file without a second copy of its content.
func readString(path string, size int) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder
	b.Grow(size)
	_, err = io.Copy(&b, f)
	return b.String(), err
}

// loadOnce loads the cache before the first use. The caller holds listing.
func (x *Index) loadOnce() {
	x.mu.RLock()
	loaded := x.loaded
	x.mu.RUnlock()
	if !loaded {
		x.load()
	}
}

// load loads the cache, if there is one for this folder.
func (x *Index) load() {
	names, entries := x.readCache()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.loaded = true
	if entries != nil {
		x.names.list, x.entries = names, entries
	}
}

func (x *Index) readCache() ([]string, map[string]*Entry) {
	if x.o.Cache == "" {
		return nil, nil
	}
	info, err := os.Stat(x.o.Cache)
	if err != nil || info.Size() > maxCache {
		return nil, nil
	}
	data, err := readString(x.o.Cache, int(info.Size()))
	end := len(data) - sumSize
	if err != nil || end < len(cacheVersion) || data[:len(cacheVersion)] != cacheVersion {
		return nil, nil
	}
	sum := checksum()
	// The plain reader makes Copy use a small buffer. The strings.Reader itself would copy
	// everything.
	if _, err := io.Copy(sum, struct{ io.Reader }{strings.NewReader(data[:end])}); err != nil || sum.Sum32() != binary.LittleEndian.Uint32([]byte(data[end:])) {
		return nil, nil
	}
	r := &reader{s: data[len(cacheVersion):end]}
	if r.text() != x.o.Workspace.Dir() {
		return nil, nil
	}
	names := make([]string, r.count())
	for i := range names {
		names[i] = r.text()
	}
	n := r.count()
	entries := make(map[string]*Entry, n)
	for range n {
		e := &Entry{
			Entry: workspace.Entry{Path: r.text(), Size: r.signed(), ModTime: r.signed(), Changed: r.signed()},
			Sum:   uint64(r.number()), Language: r.text(), Lines: r.number(),
		}
		e.Errors, e.Young = r.number()&1 != 0, r.number()&1 != 0
		e.Problem = r.text()
		e.Symbols = make([]outline.Symbol, r.count())
		e.Defs = make([]uint32, len(e.Symbols))
		for i := range e.Symbols {
			id := r.number()
			if id < 0 || id >= len(names) {
				return nil, nil
			}
			e.Defs[i] = uint32(id)
			e.Symbols[i] = outline.Symbol{Name: names[id], Kind: r.text(), Parent: r.text(), Signature: r.text(), Doc: r.text(), StartLine: r.number(), EndLine: r.number()}
			e.Symbols[i].Local = r.number()&1 != 0
		}
		e.Imports = make([]outline.Import, r.count())
		for i := range e.Imports {
			e.Imports[i].Source, e.Imports[i].Line = r.text(), r.number()
			if k := r.count(); k > 0 {
				e.Imports[i].Names = make([]string, k)
				for j := range e.Imports[i].Names {
					e.Imports[i].Names[j] = r.text()
				}
			}
		}
		e.Refs = make([]Ref, r.count())
		last := 0
		for i := range e.Refs {
			last += r.number()
			if last < 0 || last >= len(names) {
				r.bad = true
				last = 0
			}
			e.Refs[i] = Ref{uint32(last), uint32(r.number())}
		}
		if r.bad {
			return nil, nil
		}
		entries[e.Path] = e
	}
	return names, entries
}
