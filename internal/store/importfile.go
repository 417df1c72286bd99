package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"goated/internal/jsonscan"
)

// An importFile is the text of a document. It is cut into conversations that are not decoded yet, so
// that the database can write the first ones while another goroutine decodes and validates the others.
type importFile struct {
	data          []byte
	conversations [][]byte
	turns         int
}

// readImport reads a document. Its error contains the position of the mistake. It does not find a
// mistake inside a conversation: each finds that.
func readImport(r io.Reader) (importFile, error) {
	data, err := readLimited(r)
	if err != nil {
		return importFile{}, err
	}
	f := importFile{data: data}
	if f.split() {
		return f, nil
	}
	// ExportJSON does not write this form, so use the slow decoder.
	doc, err := decode(data)
	if err != nil {
		return f, err
	}
	f.conversations, f.turns = nil, 0
	for _, c := range doc.Conversations {
		text, err := json.Marshal(c)
		if err != nil {
			return f, err
		}
		f.conversations, f.turns = append(f.conversations, text), f.turns+len(c.Turns)
	}
	return f, nil
}

// split cuts a document of the present version into conversations. It returns false for any other text.
func (f *importFile) split() bool {
	fit := make(map[string]bool)
	whole := jsonscan.Fields(f.data, func(key, value []byte) bool {
		name := string(key)
		twice := fit[name]
		switch fit[name] = true; name {
		case "format":
			text, ok := jsonscan.Text(value)
			return ok && text == format && !twice
		case "version":
			return string(value) == strconv.Itoa(formatVersion) && !twice
		case "conversations":
			return !twice && jsonscan.Elements(value, func(c []byte) bool {
				f.conversations = append(f.conversations, c)
				return true
			})
		}
		return false
	})
	if !whole || len(fit) != 3 {
		return false
	}
	for _, c := range f.conversations {
		jsonscan.Fields(c, func(key, value []byte) bool {
			if string(key) == "turns" {
				jsonscan.Elements(value, func([]byte) bool { f.turns++; return true })
			}
			return true
		})
	}
	return true
}

// A decoded is a decoded conversation, or the error of decoding it.
type decoded struct {
	conversation exported
	err          error
}

// each calls add with the conversations in order, while another goroutine decodes the following ones.
// If it returns no error, it has validated the whole text.
func (f *importFile) each(add func(exported) error) error {
	ready, end := make(chan decoded, 2), make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(end)
	wg.Go(func() {
		send := func(d decoded) (wanted bool) {
			select {
			case ready <- d:
				return d.err == nil
			case <-end:
				return false
			}
		}
		for _, text := range f.conversations {
			var d decoded
			d.err = json.Unmarshal(text, &d.conversation)
			if !send(d) {
				return
			}
		}
		var valid error
		if !json.Valid(f.data) { // finds mistakes between the conversations
			valid = errInvalid
		}
		send(decoded{err: valid})
	})
	for range f.conversations {
		d := <-ready
		if d.err != nil {
			return f.positionError(d.err)
		}
		if err := add(d.conversation); err != nil {
			return err
		}
	}
	if d := <-ready; d.err != nil {
		return f.positionError(d.err)
	}
	return nil
}

var errInvalid = errors.New("it is not JSON")

// positionError returns an error with the position of a mistake in the document, or err if the position is
// unknown.
func (f *importFile) positionError(err error) error {
	if _, exact := decode(f.data); exact != nil {
		return exact
	}
	return err
}

// importFrom adds the conversations of a file and returns their ids.
func importFrom(ctx context.Context, tx *sql.Tx, f importFile, report func(done int)) (ids []string, err error) {
	in := importer{tx: tx, report: report}
	err = f.each(func(c exported) error {
		id, err := in.add(ctx, c)
		if err != nil {
			return fmt.Errorf("conversation %d: %w", len(ids)+1, err)
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
