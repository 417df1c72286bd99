package llmem

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"goated/servers/llmem/artifact"
	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/prompt"
)

// maxSymbols bounds the symbols in one answer.
const maxSymbols = 400

// A storedText is a stored text about a source.
type storedText struct {
	ID           string    `json:"id"`
	Type         string    `json:"type"`
	ArtifactPath string    `json:"artifactPath"`
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"`
	Stale        bool      `json:"stale" jsonschema:"the source has changed since"`
	Changed      []string  `json:"changed,omitempty" jsonschema:"the symbols that changed"`
	Content      string    `json:"content,omitempty" jsonschema:"without line numbers if it is stale"`
}

// A symbol is a symbol in an answer, with the note from an annotate artifact.
type symbol struct {
	outline.Symbol
	Note      string `json:"note,omitempty" jsonschema:"what a model wrote about it"`
	NoteStale bool   `json:"noteStale,omitempty" jsonschema:"it has changed since"`
}

type fileAnswer struct {
	ID         string           `json:"id,omitempty" jsonschema:"the id of the stored outline"`
	SourcePath string           `json:"sourcePath"`
	Type       string           `json:"type"`
	Language   string           `json:"language,omitempty"`
	Lines      int              `json:"lines,omitempty"`
	Stale      bool             `json:"stale" jsonschema:"the stored outline is older than the file; this answer is current"`
	NoOutline  string           `json:"noOutline,omitempty" jsonschema:"why there is none"`
	Errors     bool             `json:"syntaxErrors,omitempty"`
	Symbols    []symbol         `json:"symbols,omitempty"`
	More       int              `json:"moreSymbols,omitempty"`
	Imports    []outline.Import `json:"imports,omitempty"`
	Uses       []string         `json:"uses,omitempty" jsonschema:"files of the workspace that it imports"`
	UsedBy     []string         `json:"usedBy,omitempty" jsonschema:"files that import it"`
	Stored     []storedText     `json:"stored,omitempty"`
}

func getArtifact(ctx context.Context, c *call) (envelope, error) {
	var args struct{ Path, Type string }
	if err := c.decode(&args); err != nil {
		return envelope{}, err
	}
	records, clean, err := c.resolve(ctx, args.Path)
	if err != nil {
		return envelope{}, err
	}
	src, err := c.read(ctx, clean)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(records) > 0:
		src = nil // answer with the texts about a file that is gone
	case errors.Is(err, fs.ErrNotExist):
		return envelope{}, fmt.Errorf("artifact not found for path: %s: %w", clean, fs.ErrNotExist)
	case err != nil:
		return envelope{}, err
	}
	before := "" // the former path of a source that has moved
	if src != nil && len(records) == 0 {
		if before, records, err = c.recordsBeforeMove(ctx, src); err != nil {
			return envelope{}, err
		}
	}
	if kind := artifactType(args.Type); kind != "" {
		all := records
		records = slices.DeleteFunc(slices.Clone(records), func(r artifact.Record) bool { return r.Type != kind })
		if len(records) == 0 && (kind != artifact.Mirror || src == nil) { // the answer about an existing file contains the outline, whether it is stored or not
			return envelope{}, noTypeError(args.Path, kind, all)
		}
	}
	if src != nil && len(records) > 0 {
		if err := c.hashFolder(ctx, src); err != nil {
			return envelope{}, err
		}
	}
	texts := c.texts(src, records)
	if src == nil {
		return envelope{Status: statusSuccess, Data: fileAnswer{SourcePath: clean, Type: "deleted", Stale: true, Stored: texts},
			NextAction: "The source is gone. Call delete_artifact to remove its artifacts."}, nil
	}
	if src.folder {
		return c.folder(ctx, src, texts)
	}
	e, err := c.file(ctx, src, records, texts)
	if before != "" && len(texts) > 0 && err == nil && e.NextAction == "" {
		e.NextAction = fmt.Sprintf("The stored texts are about %s, which no longer exists and had the same content. To keep them, call store_llm_result with this path.", before)
	}
	return e, err
}

// texts returns the stored texts about a source. It removes line numbers from texts that are older
// than the source.
func (c *call) texts(src *source, records []artifact.Record) []storedText {
	var list []storedText
	for _, r := range records {
		if r.Type == artifact.Mirror {
			continue
		}
		s := storedText{ID: r.ID, Type: r.Type, ArtifactPath: r.ArtifactPath, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, Stale: src == nil || src.hash != r.SourceHash}
		if data, err := c.artifacts.Content(r); err == nil {
			s.Content = string(data)
		}
		if s.Stale {
			s.Content = withoutLines(s.Content)
			if src != nil {
				s.Changed = src.changedSymbols(r)
			}
		}
		list = append(list, s)
	}
	return list
}

func (c *call) file(ctx context.Context, src *source, records []artifact.Record, texts []storedText) (envelope, error) {
	a := fileAnswer{SourcePath: src.path, Type: artifact.Mirror, Stored: texts, NoOutline: src.why}
	for _, r := range records {
		if r.Type == artifact.Mirror {
			a.ID, a.Stale = r.ID, r.SourceHash != src.hash
		}
	}
	if src.outline == nil {
		if outline.IsBinary(src.data) {
			a.NoOutline = outline.ErrBinary.Error()
			return envelope{Status: statusSuccess, Data: a, NextAction: "The file is not text."}, nil
		}
		a.Lines = outline.CountLines(src.data)
		return envelope{Status: statusSuccess, Data: a, NextAction: "There is no outline for this file. Read the file itself."}, nil
	}
	a.Language, a.Lines, a.Errors, a.Imports = src.outline.Language, src.outline.Lines, src.outline.Errors, src.outline.Imports
	a.Symbols, a.More = withNotes(src.outline.Symbols, texts)
	// The graph need not wait. Files that are not parsed yet are missing from it.
	if _, err := c.status(ctx, index.Want{Wait: 300 * time.Millisecond}); err != nil {
		return envelope{}, err
	}
	uses, usedBy := c.graph.Neighbours(c.index.Snapshot(), c.goMod(), src.path)
	a.Uses, a.UsedBy = first(uses, 50), first(usedBy, 50)
	e := envelope{Status: statusSuccess, Data: a}
	if a.More > 0 {
		e.NextAction = "The file has more symbols than are listed here. Call find_symbol with the name of one of them."
	}
	for _, t := range texts {
		if t.Stale {
			e.NextAction = fmt.Sprintf("The file changed after its %s was written. Call generate_artifact to write it again if you need it.", t.Type)
		}
	}
	return e, nil
}

func first(list []string, n int) []string { return list[:min(len(list), n)] }

// withNotes adds the notes from an annotate artifact to the symbols outside of functions.
func withNotes(symbols []outline.Symbol, texts []storedText) (list []symbol, more int) {
	var notes map[string]string
	var changed []string
	for _, t := range texts {
		if t.Type == prompt.Annotate {
			notes, changed = prompt.ParseNotes(t.Content), t.Changed
		}
	}
	for _, y := range symbols {
		if y.Local {
			continue
		}
		if len(list) == maxSymbols {
			more++
			continue
		}
		s := symbol{Symbol: y, Note: cmp.Or(notes[qualified(y)], notes[y.Name])}
		s.NoteStale = s.Note != "" && slices.Contains(changed, qualified(y))
		list = append(list, s)
	}
	return list, more
}

type folderAnswer struct {
	SourcePath string       `json:"sourcePath"`
	Type       string       `json:"type"`
	Folders    []string     `json:"folders,omitempty"`
	Files      []folderFile `json:"files,omitempty"`
	More       int          `json:"moreFiles,omitempty"`
	Others     int          `json:"moreFolders,omitempty"`
	Stored     []storedText `json:"stored,omitempty"`
}

type folderFile struct {
	Path    string   `json:"path"`
	Lines   int      `json:"lines,omitempty"`
	Symbols []string `json:"symbols,omitempty" jsonschema:"names of the top level"`
}

// folderLimit bounds the files, and the folders, in an answer about a folder.
const folderLimit = 200

func (c *call) folder(ctx context.Context, src *source, texts []storedText) (envelope, error) {
	if _, err := c.status(ctx, index.Want{Wait: time.Second}); err != nil {
		return envelope{}, err
	}
	a := folderAnswer{SourcePath: src.path, Type: "folder", Stored: texts}
	snapshot := c.index.Snapshot()
	last := ""
	for _, f := range snapshot.Listed {
		if !isUnder(f.Path, src.path) {
			continue
		}
		rel := strings.TrimPrefix(f.Path, src.path+"/")
		if head, _, nested := strings.Cut(rel, "/"); nested {
			sub := path.Join(src.path, head)
			switch { // the list is sorted, so the files of a folder are adjacent
			case sub == last:
			case len(a.Folders) == folderLimit:
				a.Others++
			default:
				a.Folders = append(a.Folders, sub)
			}
			last = sub
			continue
		}
		if len(a.Files) == folderLimit {
			a.More++
			continue
		}
		file := folderFile{Path: f.Path}
		if e := c.index.Entry(f.Path); e != nil && e.Entry == f {
			file.Lines = e.Lines
			for _, y := range e.Symbols {
				if y.Parent == "" && !y.Local && len(file.Symbols) < 12 && !slices.Contains(file.Symbols, y.Name) {
					file.Symbols = append(file.Symbols, y.Name)
				}
			}
		}
		a.Files = append(a.Files, file)
	}
	e := envelope{Status: statusSuccess, Data: a}
	if len(texts) == 0 && len(sourcesIn(snapshot.Listed, src.path)) > 0 {
		e.NextAction = "There is no summary of this folder. Call generate_artifact with task summarize to write one."
	}
	return e, nil
}

// A listedArtifact only has the fields that a model needs to choose and get it, because a list has
// up to a thousand. get_artifact returns its times, its id and its path.
type listedArtifact struct {
	SourcePath string `json:"sourcePath"`
	Type       string `json:"type"`
	Stale      bool   `json:"stale"`
}

type artifactList struct {
	Artifacts  []listedArtifact `json:"artifacts"`
	Total      int              `json:"total" jsonschema:"of all pages"`
	NextCursor string           `json:"nextCursor,omitempty" jsonschema:"the cursor of the next page; missing with the last"`
}

func listArtifacts(ctx context.Context, c *call) (envelope, error) {
	var args struct {
		Directory, Type, Cursor string
		Limit                   int
	}
	if err := c.decode(&args); err != nil {
		return envelope{}, err
	}
	directory, err := c.directory(args.Directory)
	if err != nil {
		return envelope{}, err
	}
	after := ""
	if args.Cursor != "" {
		data, err := base64.RawURLEncoding.DecodeString(args.Cursor)
		if err != nil {
			return envelope{}, invalid("cursor is not a nextCursor of list_artifacts")
		}
		after = string(data)
	}
	all, err := c.artifacts.Records(ctx)
	if err != nil {
		return envelope{}, err
	}
	now, kind := c.state(), artifactType(args.Type)
	limit := cmp.Or(args.Limit, 100)
	list, total, last, next := []listedArtifact{}, 0, "", ""
	for _, r := range all {
		if !isUnder(r.SourcePath, directory) || kind != "" && r.Type != kind {
			continue
		}
		total++
		switch {
		case r.ArtifactPath <= after && after != "":
		case len(list) < limit:
			list, last = append(list, listedArtifact{r.SourcePath, r.Type, now.stale(ctx, r)}), r.ArtifactPath
		case next == "":
			next = base64.RawURLEncoding.EncodeToString([]byte(last))
		}
	}
	if err := ctx.Err(); err != nil {
		return envelope{}, err
	}
	return envelope{Status: statusSuccess, Data: artifactList{list, total, next}}, nil
}
