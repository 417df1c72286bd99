package llmem

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"goated/servers/llmem/artifact"
	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/prompt"
)

// A mirror is the content of a stored outline.
type mirror struct {
	SourcePath   string           `json:"sourcePath"`
	LastModified int64            `json:"lastModified" jsonschema:"milliseconds since 1970"`
	SourceHash   string           `json:"sourceHash"`
	Language     string           `json:"language,omitempty"`
	Lines        int              `json:"lines"`
	NoOutline    string           `json:"noOutline,omitempty"`
	Symbols      []outline.Symbol `json:"symbols,omitempty"`
	Imports      []outline.Import `json:"imports,omitempty"`
}

// mirrorOf returns the artifact that contains a file's outline.
func mirrorOf(src *source) (artifact.Item, error) {
	m := mirror{SourcePath: src.path, LastModified: src.mtime / int64(time.Millisecond), SourceHash: src.hash, NoOutline: src.why, Lines: outline.CountLines(src.data)}
	if o := src.outline; o != nil {
		m.Language, m.Lines, m.Symbols, m.Imports = o.Language, o.Lines, o.Symbols, o.Imports
	}
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return artifact.Item{}, fmt.Errorf("encoding the outline: %w", err)
	}
	r := src.describe(artifact.Record{Type: artifact.Mirror})
	r.Symbols = nil // the outline contains them
	return artifact.Item{Record: r, Content: data}, nil
}

func (c *call) parseFile(ctx context.Context, src *source, focus []string) (envelope, error) {
	m, err := mirrorOf(src)
	if err != nil {
		return envelope{}, err
	}
	if len(m.Content) > artifact.MaxContent {
		return envelope{}, &failure{codeInvalid, "too_large", "the outline of " + src.path + " is too large to store", "Call get_artifact or find_symbol: they need no stored outline."}
	}
	r, err := c.artifacts.Put(ctx, m.Record, m.Content)
	if err != nil {
		return envelope{}, err
	}
	a := fileAnswer{ID: r.ID, SourcePath: src.path, Type: artifact.Mirror, NoOutline: src.why}
	e := envelope{Status: statusSuccess}
	if o := src.outline; o != nil {
		a.Language, a.Lines, a.Errors, a.Imports = o.Language, o.Lines, o.Errors, o.Imports
		symbols := o.Symbols
		if len(focus) > 0 {
			symbols = slices.DeleteFunc(slices.Clone(symbols), func(y outline.Symbol) bool { return !prompt.InFocus(y, focus) })
			if missing := missingFocus(src, focus); len(missing) > 0 {
				e.NextAction = "The file does not define: " + strings.Join(missing, ", ")
			}
		}
		a.Symbols, a.More = withNotes(symbols, nil)
	} else {
		e.NextAction = "There is no outline for this file. Read the file itself."
	}
	e.Data = a
	return e, nil
}

// A folderParse stores the outlines for a folder.
type folderParse struct {
	*call
	focus  []string
	now    *state
	stored map[string]artifact.Record // the stored outlines, by source
	batch  []artifact.Item
	answer parsedFolder
	found  map[string]bool // names in focus that were found
}

type parsedFolder struct {
	Path        string       `json:"path"`
	Parsed      int          `json:"parsed" jsonschema:"outlines that this call stored"`
	Current     int          `json:"current,omitempty" jsonschema:"outlines that were stored before and still fit"`
	Files       int          `json:"files" jsonschema:"source files of the folder"`
	Left        int          `json:"left,omitempty" jsonschema:"those that the next call stores"`
	Skipped     []index.Skip `json:"skipped,omitempty" jsonschema:"those without an outline"`
	MoreSkipped int          `json:"moreSkipped,omitempty" jsonschema:"not listed"`
	Definitions []found      `json:"definitions,omitempty" jsonschema:"with focusOn: where its names are defined"`
	NotFound    []string     `json:"notFound,omitempty" jsonschema:"with focusOn: names that no file defines"`
}

const (
	batchSize   = 200             // outlines that are stored with one change of the index
	lastMoments = 3 * time.Second // at the end of a call, during which no more files are parsed
)

// parseFolder stores the outlines of a folder's files that are missing or older than their files.
// With a focus, it only includes files that define one of the names in focus.
func (c *call) parseFolder(ctx context.Context, src *source, focus []string) (envelope, error) {
	p := &folderParse{call: c, focus: focus, now: c.state(), stored: make(map[string]artifact.Record), found: make(map[string]bool)}
	files, err := p.now.list(ctx)
	if err != nil {
		return envelope{}, err
	}
	records, err := c.artifacts.Records(ctx)
	if err != nil {
		return envelope{}, err
	}
	for _, r := range records {
		if r.Type == artifact.Mirror {
			p.stored[r.SourcePath] = r
		}
	}
	files = sourcesIn(files, src.path)
	p.answer.Path, p.answer.Files = src.path, len(files)
	end, limited := ctx.Deadline()
	for i, f := range files {
		if i%20 == 0 {
			c.progress("Storing outlines", i, len(files))
		}
		if p.answer.Parsed+len(p.batch) >= p.o.MaxParsed || limited && time.Until(end) < lastMoments {
			p.answer.Left = len(files) - i
			break
		}
		if err := p.file(ctx, f.Path); err != nil {
			return envelope{}, err
		}
	}
	if err := p.flush(ctx); err != nil {
		return envelope{}, err
	}
	e := envelope{Status: statusSuccess}
	if p.answer.Left > 0 {
		e.NextAction = fmt.Sprintf("%d files are left. Call generate_artifact for this folder again: it goes on with them.", p.answer.Left)
	} else {
		for _, name := range focus {
			if !p.found[name] {
				p.answer.NotFound = append(p.answer.NotFound, name)
			}
		}
	}
	e.Data = p.answer
	return e, nil
}

// file stores the outline of one file, if necessary.
func (p *folderParse) file(ctx context.Context, name string) error {
	r, stored := p.stored[name]
	current := stored && !p.now.stale(ctx, r)
	if len(p.focus) == 0 && current {
		p.answer.Current++
		return nil
	}
	if len(p.focus) > 0 && !p.mentions(name) {
		return nil
	}
	src, err := p.read(ctx, name)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		p.skip(name, err.Error())
		return nil
	case src.outline == nil:
		p.skip(name, src.why)
		return nil
	}
	if len(p.focus) > 0 && !p.focused(src) {
		return nil
	}
	if current {
		p.answer.Current++
		return nil
	}
	m, err := mirrorOf(src)
	if err != nil {
		return err
	}
	if len(m.Content) > artifact.MaxContent {
		p.skip(name, artifact.ErrLarge.Error())
		return nil
	}
	p.batch = append(p.batch, m)
	if len(p.batch) < batchSize {
		return nil
	}
	return p.flush(ctx)
}

func (p *folderParse) skip(name, why string) {
	if len(p.answer.Skipped) == maxSkipped {
		p.answer.MoreSkipped++
		return
	}
	p.answer.Skipped = append(p.answer.Skipped, index.Skip{Path: name, Reason: why})
}

// mentions reports whether a file's text contains a name in focus.
func (p *folderParse) mentions(name string) bool {
	data, _, err := p.ws.Read(name, int64(p.o.MaxFileBytes))
	return err != nil || slices.ContainsFunc(p.focus, func(f string) bool { // if the file is unreadable, parsing it later reports the reason
		return bytes.Contains(data, []byte(f[strings.LastIndexByte(f, '.')+1:]))
	})
}

// focused reports whether a file defines a name in focus, and records the names.
func (p *folderParse) focused(src *source) (some bool) {
	for _, y := range src.outline.Symbols {
		in := false
		for _, name := range p.focus {
			if prompt.InFocus(y, []string{name}) { // more than one may be: Add and Queue.Add
				in, p.found[name] = true, true
			}
		}
		if in && len(p.answer.Definitions) < maxSymbols {
			p.answer.Definitions = append(p.answer.Definitions, found{src.path, y})
		}
		some = some || in
	}
	return some
}

// flush stores the pending outlines.
func (p *folderParse) flush(ctx context.Context) error {
	if err := p.artifacts.PutAll(ctx, p.batch); err != nil {
		return err
	}
	p.answer.Parsed += len(p.batch)
	p.batch = p.batch[:0]
	return nil
}
