// Package journal records every action of the desktop tools: the request, and the state of the
// target element or window before and after. It leaves out secrets. Package replay can repeat the
// recorded actions.
//
// The package owns a file with one JSON object per line and mode 0600, and one older file beside
// it. It does not depend on a protocol, because requests are JSON.
package journal

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// The limits of a journal.
const (
	DefaultMax = 8 << 20  // bytes of one file; there are at most two files
	maxText    = 8 << 10  // bytes of one text
	maxLine    = 64 << 10 // bytes of one entry
)

// An Entry is the record of one action.
type Entry struct {
	Seq    int64     `json:"seq"` // starts at 1 and continues across files
	Time   time.Time `json:"time"`
	Method string    `json:"method"` // protocol method, such as "ClickElement"
	// Request is the request as JSON, without secrets.
	Request json.RawMessage `json:"request,omitempty"`
	Subject
	// After describes the target after the action.
	After string `json:"after,omitempty"`
	// Error is the reason why the action failed, or empty if it succeeded. If the program ended
	// before the end of the action was recorded, Error is [interrupted].
	Error string `json:"error,omitempty"`
	// Took is the duration of the action.
	Took time.Duration `json:"took,omitempty"`
	// Redacted means that parts of the request are left out, so that it cannot be replayed.
	Redacted bool `json:"redacted,omitempty"`
}

// A Subject describes what an action acts on.
type Subject struct {
	// App is the program of the application that the request names. Window is the window's title.
	// The numbers in resource names are valid only for one run of the program.
	App    string `json:"app,omitempty"`
	Window string `json:"window,omitempty"`
	// Target describes the target in words: the window, or an element's role and name.
	Target string `json:"target,omitempty"`
	// Before describes the target before the action.
	Before string `json:"before,omitempty"`
	// Secret means that typed text is left out.
	Secret bool `json:"-"`
}

// interrupted is the error of an action whose end was not recorded.
const interrupted = "goated ended before the action did"

// A Journal records actions. Create one with [Open]. It is safe for concurrent use.
type Journal struct {
	path string
	max  int64
	now  func() time.Time

	mu   sync.Mutex
	file *os.File
	size int64
	seq  int64

	typed string // text of the last inputs
}

// Open opens the journal at a path. It creates the file and its folder if necessary. max limits the
// bytes of a file; 0 means [DefaultMax]. The caller must close the journal.
func Open(path string, max int64) (*Journal, error) {
	if max <= 0 {
		max = DefaultMax
	}
	j := &Journal{path: path, max: max, now: time.Now}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("opening the journal of the desktop tools: %w", err)
	}
	entries, err := Read(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if n := len(entries); n > 0 {
		j.seq = entries[n-1].Seq
	}
	if err := j.open(); err != nil {
		return nil, err
	}
	return j, nil
}

func (j *Journal) open() error {
	f, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("opening the journal of the desktop tools: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Mode().Perm() != 0o600 {
		err = f.Chmod(0o600)
	}
	if err != nil {
		_ = f.Close()
		return fmt.Errorf("opening the journal of the desktop tools: %w", err)
	}
	j.file, j.size = f, info.Size()
	if j.size > 0 { // after a crash, an incomplete line must not swallow the next one
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, j.size-1); err == nil && last[0] != '\n' {
			n, err := f.Write([]byte{'\n'})
			j.size += int64(n)
			return err
		}
	}
	return nil
}

// Close closes the file.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.file.Close()
}

// An Action is the record of a running action.
type Action struct {
	j     *Journal
	entry Entry
	begin time.Time

	secret bool     // the target's name shows that it holds a secret
	hidden []string // values to leave out
}

// Begin records the start of an action. If it fails, the action must not run, because no action may
// run without a record. Begin leaves out the values that [Hide] added to the context.
func (j *Journal) Begin(ctx context.Context, method string, request any, about Subject) (*Action, error) {
	hidden := hiddenIn(ctx)
	whole, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("writing the journal of the desktop tools: %w", err)
	}
	j.mu.Lock()
	secret := j.completesSecret(whole)
	j.mu.Unlock()
	secret = secretName(about.Target) || about.Secret || secret
	data, redacted, err := redact(request, hidden...)
	if err == nil && secret {
		data, redacted, err = removeTyped(data)
	}
	if err != nil {
		return nil, fmt.Errorf("writing the journal of the desktop tools: %w", err)
	}
	for _, text := range []*string{&about.Window, &about.Target, &about.Before} {
		*text = redactText(*text, hidden...)
	}
	if secret && about.Before != "" {
		about.Before = left
	}
	a := &Action{j: j, begin: j.now(), secret: secret, hidden: hidden, entry: Entry{Method: method, Request: data, Subject: about, Redacted: redacted}}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.seq++
	a.entry.Seq, a.entry.Time = j.seq, a.begin.UTC()
	open := a.entry
	open.Error = interrupted
	return a, j.write(open)
}

// Entry returns the record so far.
func (a *Action) Entry() Entry { return a.entry }

// End records the result of an action.
func (a *Action) End(after string, failure error) error {
	a.entry.After = redactText(after, a.hidden...)
	if failure != nil {
		a.entry.Error = redactText(failure.Error(), a.hidden...)
	}
	if a.secret {
		for _, s := range []*string{&a.entry.After, &a.entry.Error} {
			if *s != "" {
				*s = left
			}
		}
	}
	a.entry.Took = a.j.now().Sub(a.begin)
	a.j.mu.Lock()
	defer a.j.mu.Unlock()
	return a.j.write(a.entry)
}

// write appends a line. The caller holds mu.
func (j *Journal) write(e Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("writing the journal of the desktop tools: %w", err)
	}
	if len(line) > maxLine {
		e.Request, e.Redacted = nil, true
		if line, err = json.Marshal(e); err != nil {
			return fmt.Errorf("writing the journal of the desktop tools: %w", err)
		}
	}
	if j.size+int64(len(line))+1 > j.max && j.size > 0 {
		if err := j.rotate(); err != nil {
			return err
		}
	}
	n, err := j.file.Write(append(line, '\n'))
	j.size += int64(n)
	if err != nil {
		return fmt.Errorf("writing the journal of the desktop tools: %w", err)
	}
	return nil
}

// rotate starts a new file and keeps the previous one. If it fails, the next write tries again.
func (j *Journal) rotate() error {
	if err := j.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) { // an earlier attempt may have closed it
		return fmt.Errorf("beginning a new journal: %w", err)
	}
	j.size = j.max // until open replaces it
	var failed error
	if err := os.Rename(j.path, j.path+".1"); err != nil && !errors.Is(err, os.ErrNotExist) {
		failed = fmt.Errorf("beginning a new journal: %w", err)
	}
	return cmp.Or(failed, j.open())
}

// Read returns the entries of a journal, one for each action, starting with the older file. It
// skips lines that are not entries.
func Read(path string) (entries []Entry, err error) {
	byTime := make(map[int64]int)
	for _, p := range []string{path + ".1", path} {
		f, err := os.Open(p)
		if errors.Is(err, os.ErrNotExist) && p != path {
			continue
		}
		if err != nil {
			return entries, fmt.Errorf("reading the journal of the desktop tools: %w", err)
		}
		err = lines(f, func(line []byte) {
			var e Entry
			if json.Unmarshal(line, &e) != nil || e.Seq == 0 {
				return
			}
			if i, ok := byTime[e.Seq]; ok && entries[i].Time.Equal(e.Time) {
				entries[i] = e
				return
			}
			byTime[e.Seq] = len(entries)
			entries = append(entries, e)
		})
		_ = f.Close()
		if err != nil {
			return entries, fmt.Errorf("reading the journal of the desktop tools: %w", err)
		}
	}
	return entries, nil
}

// lines calls use for each line of a file. It skips lines that are too long.
func lines(r io.Reader, use func([]byte)) error {
	b := bufio.NewReaderSize(r, 2*maxLine)
	for {
		line, err := b.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = b.ReadSlice('\n')
			}
		case len(line) > 0:
			use(line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
