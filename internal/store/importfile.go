package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"

	"goated/internal/store/jsoncut"
)

// maxConversation is the maximum size of one conversation in a file, in bytes. A file may have any
// number of them.
const maxConversation = 1 << 30

// An importFile reads a document that ExportJSON wrote, one conversation after the other.
type importFile struct {
	*jsoncut.Reader
	size  int64        // of the file in bytes; 0: unknown
	turns atomic.Int64 // in the conversations that were read
}

// newImportFile returns a reader of r, whose conversations have at most limit bytes.
func newImportFile(r io.Reader, limit int) *importFile {
	f := &importFile{Reader: jsoncut.New(r, limit)}
	switch r := r.(type) {
	case interface{ Len() int }:
		f.size = int64(r.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil {
			f.size = info.Size()
		}
	}
	return f
}

// allTurns estimates how many turns the file has. It is exact at the end of the file.
func (f *importFile) allTurns() int {
	turns, read := f.turns.Load(), f.Consumed()
	if read == 0 || read > f.size*9/10 { // only the end of the text may be left
		return int(turns)
	}
	return int(float64(turns) * float64(f.size) / float64(read))
}

// each calls add with the conversations in order. If it returns no error, it has validated the whole
// text. Its errors contain the position of the mistake.
func (f *importFile) each(add func(exported) error) error {
	var doc document
	if b, err := f.Peek(); err != nil {
		return err
	} else if b != '{' {
		if err := f.Decode(&doc); err != nil {
			return err
		}
		return doc.check()
	}
	seen := make(map[string]bool)
	err := f.Elements("{", "}", func() error {
		var key string
		if err := f.Decode(&key); err != nil {
			return err
		}
		key = strings.ToLower(key) // like encoding/json
		if seen[key] {
			return f.Wrong(-1, fmt.Errorf("%q occurs twice", key))
		}
		seen[key] = true
		if _, err := f.Expect(":"); err != nil {
			return err
		}
		var err error
		switch key {
		case "format":
			err = f.Decode(&doc.Format)
		case "version":
			err = f.Decode(&doc.Version)
		case "conversations":
			err = f.conversations(add)
		default:
			err = f.Decode(new(json.RawMessage))
		}
		if err == nil && seen["format"] && seen["version"] { // a newer version may have other conversations
			err = doc.check()
		}
		return err
	})
	if err != nil {
		return err
	}
	if b, err := f.Peek(); err == nil {
		return f.Wrong(0, fmt.Errorf("%q follows the end", b))
	} else if !errors.Is(err, jsoncut.ErrEnd) {
		return err
	}
	return doc.check()
}

// conversations calls add with each element of the list of conversations.
func (f *importFile) conversations(add func(exported) error) error {
	if b, err := f.Peek(); err == nil && b != '[' {
		return f.Decode(new([]exported)) // null is none, and nothing else is a list
	}
	return f.Elements("[", "]", func() error {
		var c exported
		if err := f.Decode(&c); err != nil {
			return err
		}
		f.turns.Add(int64(len(c.Turns)))
		return add(c)
	})
}

// check reports why a document has another format than ExportJSON writes.
func (d document) check() error {
	switch {
	case d.Format != format:
		return errors.New("goated did not export this file")
	case d.Version > formatVersion:
		return fmt.Errorf("%w (version %d)", ErrNewer, d.Version)
	case d.Version < 1:
		return fmt.Errorf("the format has no version %d", d.Version)
	}
	return nil
}

// parse reads a whole document.
func parse(r io.Reader) (doc document, err error) {
	err = newImportFile(r, maxConversation).each(func(c exported) error {
		doc.Conversations = append(doc.Conversations, c)
		return nil
	})
	return doc, err
}

// ahead is like each, while another goroutine decodes the following conversations.
func (f *importFile) ahead(add func(exported) error) error {
	ready, end := make(chan exported, 2), make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(end)
	var failed error
	wg.Go(func() {
		defer close(ready)
		failed = f.each(func(c exported) error {
			select {
			case ready <- c:
				return nil
			case <-end:
				return context.Canceled
			}
		})
	})
	for c := range ready {
		if err := add(c); err != nil {
			return err
		}
	}
	return failed
}

// importFrom adds the conversations of a file and returns their ids.
func importFrom(ctx context.Context, tx *sql.Tx, f *importFile, report func(done int)) (ids []string, err error) {
	in := importer{tx: tx, report: report}
	n := 0
	err = f.ahead(func(c exported) error {
		n++
		id, err := in.add(ctx, c)
		if err != nil {
			return fmt.Errorf("conversation %d: %w", n, err)
		}
		ids = append(ids, id)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := in.finish(ctx); err != nil {
		return nil, err
	}
	return ids, orderByTime(ctx, tx, ids)
}
