package index

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"time"

	"goated/internal/state"
)

// A saver tracks the changes of the index that are not in the cache yet.
type saver struct {
	delay   time.Duration // wait this long after a few changes
	unsaved int           // changes since the last save began
	running bool          // a goroutine saves or waits to save
}

const (
	saveDelay = 20 * time.Second
	saveNow   = 256 // after this many changes, save without a delay
)

// saveSoon starts the goroutine that saves, if there is something to save. Writing the outlines of
// a large workspace takes longer than parsing one file, so a few changes wait for more. The caller
// holds mu. If Close may have begun, the caller must be a goroutine of wg, for which Close waits.
func (x *Index) saveSoon() {
	if x.saver.running || x.saver.unsaved == 0 || x.o.Cache == "" {
		return
	}
	x.saver.running = true
	delay := x.saver.delay
	if x.saver.unsaved >= saveNow {
		delay = 0
	}
	x.wg.Go(func() {
		for {
			wait := time.NewTimer(delay)
			select {
			case <-wait.C:
			case <-x.ctx.Done():
			}
			wait.Stop()
			x.save()
			x.mu.Lock()
			if x.saver.unsaved == 0 || x.todo.workers > 0 { // the last worker calls saveSoon again
				x.saver.running = false
				x.mu.Unlock()
				return
			}
			x.mu.Unlock()
			delay = x.saver.delay
		}
	})
}

// A writer encodes the cache directly to the file. The cache is large, and building it in
// memory first is not faster.
type writer struct{ b *bufio.Writer }

// number writes a number. The bufio.Writer keeps its first error until Flush.
func (w writer) number(n int) {
	_, _ = w.b.Write(binary.AppendUvarint(w.b.AvailableBuffer(), uint64(n)))
}
func (w writer) signed(n int64) { _, _ = w.b.Write(binary.AppendVarint(w.b.AvailableBuffer(), n)) }
func (w writer) text(s string)  { w.number(len(s)); _, _ = w.b.WriteString(s) }
func (w writer) flag(set bool) {
	n := 0
	if set {
		n = 1
	}
	w.number(n)
}

// save writes the cache. It is best effort: if it fails, the next process parses again.
func (x *Index) save() {
	x.mu.Lock()
	x.saver.unsaved = 0
	x.mu.Unlock()
	s := x.Snapshot()
	if os.MkdirAll(filepath.Dir(x.o.Cache), 0o700) != nil {
		return
	}
	_ = state.Replace(x.o.Cache, func(f io.Writer) error {
		sum := checksum()
		w := writer{bufio.NewWriterSize(io.MultiWriter(f, sum), 64<<10)}
		w.snapshot(x.o.Workspace.Dir(), s)
		if err := w.b.Flush(); err != nil {
			return err
		}
		_, err := f.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
		return err
	})
}

func (w writer) snapshot(dir string, s Snapshot) {
	_, _ = w.b.WriteString(cacheVersion)
	w.text(dir)
	w.number(len(s.Names))
	for _, n := range s.Names {
		w.text(n)
	}
	w.number(len(s.Entries))
	for _, e := range s.Entries {
		w.entry(e)
	}
}

func (w writer) entry(e *Entry) {
	w.text(e.Path)
	w.signed(e.Size)
	w.signed(e.ModTime)
	w.signed(e.Changed)
	w.number(int(e.Sum))
	w.text(e.Language)
	w.number(e.Lines)
	w.flag(e.Errors)
	w.flag(e.Young)
	w.text(e.Problem)
	w.number(len(e.Symbols))
	for i, y := range e.Symbols {
		w.number(int(e.Defs[i]))
		w.text(y.Kind)
		w.text(y.Parent)
		w.text(y.Signature)
		w.text(y.Doc)
		w.number(y.StartLine)
		w.number(y.EndLine)
		w.flag(y.Local)
	}
	w.number(len(e.Imports))
	for _, i := range e.Imports {
		w.text(i.Source)
		w.number(i.Line)
		w.number(len(i.Names))
		for _, n := range i.Names {
			w.text(n)
		}
	}
	w.number(len(e.Refs))
	last := uint32(0)
	for _, r := range e.Refs {
		w.number(int(r.Name - last))
		w.number(int(r.Count))
		last = r.Name
	}
}
