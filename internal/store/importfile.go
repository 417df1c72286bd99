package store

import (
	"cmp"
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
)

// maxConversation is the maximum size of one conversation in a file, in bytes. A file may have any
// number of them.
const maxConversation = 1 << 30

// An importFile reads a document that ExportJSON wrote, one conversation after the other.
type importFile struct {
	dec   *json.Decoder
	in    *valueReader
	size  int64        // of the file in bytes; 0: unknown
	turns atomic.Int64 // in the conversations that were read
}

// newImportFile returns a reader of r, whose conversations have at most limit bytes.
func newImportFile(r io.Reader, limit int) *importFile {
	in := &valueReader{r: r, limit: int64(limit)}
	f := &importFile{in: in, dec: json.NewDecoder(in)}
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
	turns, read := f.turns.Load(), f.in.read.Load()
	if read == 0 || read > f.size*9/10 { // only the end of the text may be left
		return int(turns)
	}
	return int(float64(turns) * float64(f.size) / float64(read))
}

// each calls add with the conversations in order. If it returns no error, it has validated the whole
// text. Its errors contain the position of the mistake.
func (f *importFile) each(add func(exported) error) error {
	var doc document
	if begin, err := f.token(); err != nil {
		return err
	} else if begin != json.Delim('{') {
		return doc.check()
	}
	seen := make(map[string]bool)
	for f.dec.More() {
		t, err := f.token()
		if err != nil {
			return err
		}
		key := strings.ToLower(t.(string)) // like encoding/json; a member begins with a string
		if seen[key] {
			return f.at(f.dec.InputOffset(), fmt.Errorf("%q occurs twice", key))
		}
		seen[key] = true
		switch key {
		case "format":
			err = f.decode(&doc.Format)
		case "version":
			err = f.decode(&doc.Version)
		case "conversations":
			err = f.conversations(add)
		default:
			err = f.decode(new(json.RawMessage))
		}
		if err == nil && seen["format"] && seen["version"] { // a newer version may have other conversations
			err = doc.check()
		}
		if err != nil {
			return err
		}
	}
	if _, err := f.token(); err != nil {
		return err
	}
	if t, err := f.dec.Token(); !errors.Is(err, io.EOF) {
		return f.at(f.dec.InputOffset(), cmp.Or(err, fmt.Errorf("%v follows the end", t)))
	}
	return doc.check()
}

// conversations calls add with each element of the list of conversations, or never for null.
func (f *importFile) conversations(add func(exported) error) error {
	switch begin, err := f.token(); {
	case err != nil || begin == nil:
		return err
	case begin != json.Delim('['):
		return f.at(f.dec.InputOffset(), errors.New("the conversations are no list"))
	}
	for f.dec.More() {
		var c exported
		if err := f.decode(&c); err != nil {
			return err
		}
		f.turns.Add(int64(len(c.Turns)))
		if err := add(c); err != nil {
			return err
		}
	}
	_, err := f.token()
	return err
}

// token returns the next token, which is not the end of the file.
func (f *importFile) token() (json.Token, error) {
	t, err := f.dec.Token()
	f.in.begin(f.dec.InputOffset())
	return t, f.at(f.dec.InputOffset()+1, err)
}

// decode decodes the next value into v.
func (f *importFile) decode(v any) error {
	var text json.RawMessage
	if err := f.dec.Decode(&text); err != nil {
		return f.at(f.dec.InputOffset()+1, err)
	}
	f.in.begin(f.dec.InputOffset())
	err := json.Unmarshal(text, v)
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return f.at(f.dec.InputOffset()-int64(len(text))+mismatch.Offset, err)
	}
	return f.at(f.dec.InputOffset(), err)
}

// at adds the position of a mistake to err, or of the value with the mistake. The first byte is 1.
func (f *importFile) at(position int64, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		position, err = f.in.read.Load(), io.ErrUnexpectedEOF
	}
	return fmt.Errorf("byte %d: %w", position, err)
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
