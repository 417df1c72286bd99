package index

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"time"

	"goated/servers/llmem/workspace"
)

// A content describes the content of a file when it was read.
type content struct {
	file  workspace.Entry
	sum   uint64
	young bool
}

// Sums returns a part of the SHA-256 of each file's content, like [sumOf]. It only reads files that
// changed since they were last read. A missing file has the sum 0.
func (x *Index) Sums(ctx context.Context, files []workspace.Entry) ([]uint64, error) {
	x.listing.Lock()
	x.loadOnce()
	x.listing.Unlock()
	sums := make([]uint64, len(files))
	var unknown []int
	x.mu.RLock()
	for i, f := range files {
		e, c := x.entries[f.Path], x.sums[f.Path]
		switch {
		case e != nil && e.Entry == f && e.Sum != 0 && !e.Young:
			sums[i] = e.Sum
		case c.file == f && !c.young:
			sums[i] = c.sum
		default:
			unknown = append(unknown, i)
		}
	}
	x.mu.RUnlock()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(unknown)) {
		wg.Go(func() {
			for i := range next {
				var err error
				if sums[i], err = x.readSum(files[i]); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
				}
			}
		})
	}
	for _, i := range unknown {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return sums, failed
}

// readSum reads a file and stores its sum.
func (x *Index) readSum(f workspace.Entry) (uint64, error) {
	hash := sha256.New()
	info, err := x.o.Workspace.Copy(hash, f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, workspace.ErrNotFile):
		return 0, nil // deleted or replaced after it was listed
	case err != nil:
		return 0, err
	}
	c := content{file: workspace.NewEntry(f.Path, info), sum: short([sha256.Size]byte(hash.Sum(nil)))}
	c.young = young(c.file)
	x.mu.Lock()
	defer x.mu.Unlock()
	if e := x.entries[f.Path]; e != nil && e.Entry == c.file && e.Sum == c.sum { // the entry was young
		settled := *e
		settled.Young = c.young
		x.put(f.Path, &settled)
		return c.sum, nil
	}
	if len(x.sums) > 2*len(x.listed)+1000 { // most of them belong to files that are gone
		clear(x.sums)
	}
	x.sums[f.Path] = c
	return c.sum, nil
}

// young reports whether a file that has just been read may change without a new time. The clock for
// file times has a limited resolution, on some file systems whole seconds.
func young(f workspace.Entry) bool {
	step := 20 * time.Millisecond
	if f.ModTime%int64(time.Second) == 0 && f.Changed%int64(time.Second) == 0 {
		step = 2 * time.Second
	}
	return time.Since(time.Unix(0, max(f.ModTime, f.Changed))) < step
}

// sumOf returns the sum of a content.
func sumOf(data []byte) uint64 { return short(sha256.Sum256(data)) }

func short(s [sha256.Size]byte) uint64 { return binary.LittleEndian.Uint64(s[:]) }
