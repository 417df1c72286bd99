package llmem

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"goated/servers/llmem/index"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/rank"
)

// firstAnswer is how long a question about the whole workspace waits for files that are not parsed
// yet.
const firstAnswer = 700 * time.Millisecond

// Limits of answers.
const (
	defaultTokens = 1000
	maxSkipped    = 20
	maxReferences = 60 // files with references
	maxLines      = 12 // lines of references in one file
	answerFloor   = 0.35
	verifications = 3 // how often an answer is computed again because its files changed
)

// mapCache stores the last ranking. It is reused for the same question about an unchanged workspace.
type mapCache struct {
	mu      sync.Mutex
	ranker  rank.Ranker
	version uint64
	key     string
	defs    []rank.Definition
	total   int
	fits    bool // a definition contains a word of the question
}

type coverage struct {
	Files   int          `json:"files"`
	Parsed  int          `json:"parsed"`
	Pending int          `json:"pending,omitempty" jsonschema:"files that are still parsed in the background"`
	Skipped []index.Skip `json:"skipped,omitempty" jsonschema:"source files without an outline"`
	More    int          `json:"moreSkipped,omitempty" jsonschema:"source files without an outline that are not listed"`
}

func coverageOf(s index.Status) coverage {
	return coverage{
		Files: s.Files, Parsed: s.Source - s.Pending - len(s.Skipped), Pending: s.Pending,
		Skipped: s.Skipped[:min(len(s.Skipped), maxSkipped)], More: max(0, len(s.Skipped)-maxSkipped),
	}
}

// coverageCounts is [coverageOf] without the list of skipped files. map_workspace returns that list. It would
// be most of every other answer.
func coverageCounts(s index.Status) coverage {
	c := coverageOf(s)
	c.Skipped, c.More = nil, len(s.Skipped)
	return c
}

type mapAnswer struct {
	Map         string   `json:"map" jsonschema:"files with their most important definitions, each with its lines and its signature"`
	Tokens      int      `json:"tokens" jsonschema:"of the map, about"`
	Shown       int      `json:"shown" jsonschema:"definitions in the map"`
	Definitions int      `json:"definitions" jsonschema:"definitions of the workspace"`
	Coverage    coverage `json:"coverage"`
}

func mapWorkspace(ctx context.Context, c *call) (envelope, error) {
	var args struct {
		Query   string
		FocusOn []string
		Tokens  int
	}
	if err := c.decode(&args); err != nil {
		return envelope{}, err
	}
	status, err := c.status(ctx, index.Want{Wait: firstAnswer})
	if err != nil {
		return envelope{}, err
	}
	budget := cmp.Or(args.Tokens, defaultTokens)
	focus := rank.Focus{Query: args.Query, Most: rank.MaxDefinitions(budget)}
	for _, f := range args.FocusOn {
		if clean, err := c.ws.Clean(f); err == nil {
			if _, err := c.ws.Stat(clean); err == nil {
				focus.Paths = append(focus.Paths, c.ws.Folder(clean))
				continue
			}
		}
		focus.Names = append(focus.Names, f[strings.LastIndexByte(f, '.')+1:])
	}
	floor := 0.0
	if args.Query != "" {
		floor = answerFloor
	}
	defs, total, fits := c.rank(focus)
	m := rank.Render(defs, budget, floor)
	for range verifications {
		changed, err := c.index.Verify(ctx, m.Paths)
		if err != nil {
			return envelope{}, err
		}
		if !changed {
			break
		}
		defs, total, fits = c.rank(focus)
		m = rank.Render(defs, budget, floor)
	}
	e := envelope{Status: statusSuccess, Data: mapAnswer{m.Text, m.Tokens, m.Shown, total, coverageOf(status)}}
	switch {
	case status.Pending > 0:
		e.NextAction = fmt.Sprintf("%d of %d source files are not parsed yet, so the map is a first version. Call map_workspace again for a complete one.", status.Pending, status.Source)
	case len(defs) == 0 && status.Source == 0:
		e.NextAction = "The workspace has no source files in a language that LLMem can parse."
	case len(defs) == 0:
		e.NextAction = "The source files of the workspace have no definitions, or no outline. Call get_artifact with the path . to see the files, and read them with another tool."
	case args.Query != "" && !fits:
		e.NextAction = "Nothing fits the question. These are the most important definitions. Ask with words that the code may use."
	}
	return e, nil
}

// rank ranks the definitions in the existing files, and reports whether some contain a word of the
// question.
func (c *call) rank(f rank.Focus) (defs []rank.Definition, total int, fits bool) {
	key := fmt.Sprintf("%#v", f)
	c.maps.mu.Lock()
	defer c.maps.mu.Unlock()
	s := c.index.Snapshot()
	if c.maps.defs == nil || c.maps.key != key || c.maps.version != s.Version {
		c.maps.defs, c.maps.total = c.maps.ranker.Rank(c.present(s), f)
		c.maps.key, c.maps.version, c.maps.fits = key, s.Version, c.maps.ranker.HasMatch()
	}
	return c.maps.defs, c.maps.total, c.maps.fits
}

// present removes entries that are older than their files.
func (c *call) present(s index.Snapshot) index.Snapshot {
	i := 0 // both lists are sorted by path
	s.Entries = slices.DeleteFunc(s.Entries, func(e *index.Entry) bool {
		for i < len(s.Listed) && s.Listed[i].Path < e.Path {
			i++
		}
		return i == len(s.Listed) || s.Listed[i] != e.Entry
	})
	return s
}

type found struct {
	Path string `json:"path"`
	outline.Symbol
}

type usage struct {
	Path  string `json:"path"`
	Lines []int  `json:"lines"`
	More  int    `json:"moreLines,omitempty"`
}

type findAnswer struct {
	Match       string   `json:"match" jsonschema:"exact, elsewhere (the name without its parent, the kind or the directory of the call), similar or none"`
	Definitions []found  `json:"definitions"`
	More        int      `json:"moreDefinitions,omitempty" jsonschema:"definitions beyond the limit"`
	References  []usage  `json:"references,omitempty"`
	MoreFiles   int      `json:"moreFiles,omitempty" jsonschema:"files with references that are not listed"`
	Coverage    coverage `json:"coverage"`
}

func findSymbol(ctx context.Context, c *call) (envelope, error) {
	var args struct {
		Name, Kind, Directory string
		References            bool
		Limit                 int
	}
	if err := c.decode(&args); err != nil {
		return envelope{}, err
	}
	directory, err := c.directory(args.Directory)
	if err != nil {
		return envelope{}, err
	}
	parent, name := splitName(args.Name)
	if name == "" {
		return envelope{}, invalid("name is empty")
	}
	status, err := c.status(ctx, index.Want{Name: name})
	if err != nil {
		return envelope{}, err
	}
	limit := cmp.Or(args.Limit, 20)
	accept := func(e *index.Entry, y *outline.Symbol) bool {
		return isUnder(e.Path, directory) && (args.Kind == "" || strings.EqualFold(args.Kind, y.Kind)) &&
			(parent == "" || y.Parent == parent || strings.HasSuffix(y.Parent, "."+parent))
	}
	if _, known := c.index.ID(name); !known { // only a similar name can help, and any file may contain one
		if status, err = c.status(ctx, index.Want{Wait: firstAnswer}); err != nil {
			return envelope{}, err
		}
	}
	var s index.Snapshot
	var list []found
	var match string
	for range verifications {
		s = c.present(c.index.Snapshot())
		match = "exact"
		list = collect(s, func(e *index.Entry, y *outline.Symbol) bool { return y.Name == name && accept(e, y) })
		if len(list) == 0 { // the directory or the kind is often a guess
			match = "elsewhere"
			list = collect(s, func(_ *index.Entry, y *outline.Symbol) bool { return y.Name == name })
		}
		if len(list) == 0 {
			match = "similar"
			lower := strings.ToLower(name)
			list = collect(s, func(e *index.Entry, y *outline.Symbol) bool {
				return accept(e, y) && strings.Contains(strings.ToLower(y.Name), lower)
			})
		}
		if len(list) == 0 {
			words, whole := rank.Words(args.Name), lettersAndDigits(args.Name)
			list = collect(s, func(e *index.Entry, y *outline.Symbol) bool {
				return isUnder(e.Path, directory) && (args.Kind == "" || strings.EqualFold(args.Kind, y.Kind)) && similarName(words, whole, y)
			})
		}
		var paths []string
		for _, f := range list[:min(len(list), limit)] {
			paths = append(paths, f.Path)
		}
		slices.Sort(paths)
		if changed, err := c.index.Verify(ctx, slices.Compact(paths)); err != nil {
			return envelope{}, err
		} else if !changed {
			break
		}
	}
	data := findAnswer{Match: match, Definitions: list[:min(len(list), limit)], More: max(0, len(list)-limit), Coverage: coverageCounts(status)}
	if data.Definitions == nil {
		data.Match, data.Definitions = "none", []found{}
	}
	if args.References {
		data.References, data.MoreFiles = c.references(s, name, directory)
	}
	e := envelope{Status: statusSuccess, Data: data}
	switch {
	case match == "similar" && status.Pending > 0:
		e.NextAction = fmt.Sprintf("No definition has exactly this name. %d source files are not parsed yet, so similar names may be missing. Call find_symbol again for all.", status.Pending)
	case match == "elsewhere":
		e.NextAction = "No definition with this name fits the parent, the kind or the directory of this call. These have the name."
	case match == "similar" && len(list) > 0:
		e.NextAction = "No definition has exactly this name. These are the closest."
	case len(list) == 0 && len(status.Skipped) > 0:
		e.NextAction = fmt.Sprintf("No definition has this name in the files with an outline. Source files without one: %d; map_workspace lists them under skipped. Search those with another tool, or call map_workspace with a query in plain words.", len(status.Skipped))
	case len(list) == 0:
		e.NextAction = "No definition has this name. Call map_workspace with a query in plain words."
	}
	return e, nil
}

// splitName splits Parent.name, Parent::name and Parent#name.
func splitName(s string) (parent, name string) {
	s = strings.TrimSuffix(strings.TrimSpace(s), "()")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "::", "."), "#", ".")
	if i := strings.LastIndexByte(s, '.'); i > 0 && i < len(s)-1 {
		return s[:i], s[i+1:]
	}
	return "", s
}

// collect returns the matching symbols, the most likely ones first: definitions outside of
// functions, and code outside of tests and aside folders. A variable often only holds something
// that another file defines, as in var Route = require("./route"), so functions and types come
// before it.
func collect(s index.Snapshot, match func(*index.Entry, *outline.Symbol) bool) []found {
	var list []found
	for _, e := range s.Entries {
		for i := range e.Symbols {
			if match(e, &e.Symbols[i]) {
				list = append(list, found{e.Path, e.Symbols[i]})
			}
		}
	}
	weight := func(f found) int {
		w := len(f.Name)
		if f.Local {
			w += 1000
		}
		if f.Kind == outline.Variable || f.Kind == outline.Constant {
			w += 300
		}
		return w + 2000*distanceFromCode(f.Path)
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(weight(a), weight(b)) })
	return list
}

// distanceFromCode orders files by their distance from the actual code, which has 0.
func distanceFromCode(path string) int {
	switch {
	case rank.IsTest(path):
		return 2
	case rank.IsSecondary(path):
		return 1
	}
	return 0
}

// references returns the lines that mention a name in files whose parser found it as an identifier.
// Tests and aside code come last, so the limit drops them first.
func (c *call) references(s index.Snapshot, name, directory string) (list []usage, more int) {
	id, ok := c.index.ID(name)
	if !ok {
		return nil, 0
	}
	var using []*index.Entry
	for _, e := range s.Entries {
		if _, ok := slices.BinarySearchFunc(e.Refs, id, func(r index.Ref, id uint32) int { return cmp.Compare(r.Name, id) }); ok && isUnder(e.Path, directory) {
			using = append(using, e)
		}
	}
	slices.SortStableFunc(using, func(a, b *index.Entry) int { return cmp.Compare(distanceFromCode(a.Path), distanceFromCode(b.Path)) })
	for _, e := range using {
		if len(list) == maxReferences {
			more++
			continue
		}
		data, _, err := c.ws.Read(e.Path, int64(c.o.MaxFileBytes))
		if err != nil {
			continue // the file was deleted in the meantime
		}
		if u := linesWith(outline.Text(data), name); len(u.Lines) > 0 {
			u.Path = e.Path
			list = append(list, u)
		}
	}
	return list, more
}

// linesWith returns the lines that contain a name as a whole word.
func linesWith(data []byte, name string) (u usage) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		for at := 0; ; {
			i := bytes.Index(line[at:], []byte(name))
			if i < 0 {
				break
			}
			before, _ := utf8.DecodeLastRune(line[:at+i])
			after, _ := utf8.DecodeRune(line[at+i+len(name):])
			at += i + len(name)
			if wordRune(before) || wordRune(after) {
				continue
			}
			if len(u.Lines) == maxLines {
				u.More++
			} else {
				u.Lines = append(u.Lines, n)
			}
			break
		}
	}
	return u
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r))
}
