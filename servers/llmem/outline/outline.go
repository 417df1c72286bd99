// Package outline extracts the structure of source files: definitions with their signatures,
// comments and line ranges, imports, and the identifiers that a file mentions. It parses Go files
// with go/parser, and other languages with servers/llmem/outline/grammar.
//
// It owns the parsers. It must not know workspaces, artifacts or the protocol.
package outline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"goated/servers/llmem/outline/grammar"
)

// Kinds of symbols.
const (
	Function    = "function"
	Method      = "method"
	Constructor = "constructor"
	Class       = "class"
	Struct      = "struct"
	Interface   = "interface"
	Trait       = "trait"
	Enum        = "enum"
	Type        = "type"
	Module      = "module"
	Namespace   = "namespace"
	Macro       = "macro"
	Property    = "property"
	Constant    = "constant"
	Variable    = "variable"
)

// A Symbol is a definition. Lines count from 1, and EndLine is the last line of the
// definition.
type Symbol struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Parent    string `json:"parent,omitempty"` // the enclosing symbols, joined by dots
	Signature string `json:"signature,omitempty"`
	Doc       string `json:"doc,omitempty"` // the first paragraph of its comment
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Local     bool   `json:"local,omitempty"` // inside a function
}

// An Import is one imported module, header or package.
type Import struct {
	Source string   `json:"source"`
	Names  []string `json:"names,omitempty"` // the imported names; empty means the whole module
	Line   int      `json:"line"`
}

// A File is the outline of one source file.
type File struct {
	Language string
	Lines    int
	Symbols  []Symbol // in the order of their first lines
	Imports  []Import
	Refs     map[string]int // number of mentions of each identifier
	Errors   bool           // the source has syntax errors, so symbols may be missing
}

// Limits of a file.
const (
	DefaultMaxBytes = 1 << 20
	DefaultMaxTime  = 3 * time.Second
)

// Errors of [Parser.Parse]. ErrLanguage means that the file has no outline.
var (
	ErrLanguage = errors.New("no outline for this type of file")
	ErrLarge    = errors.New("the file is too large for an outline")
	ErrSlow     = grammar.ErrSlow
	ErrBinary   = errors.New("the file is not text")
)

// A Parser creates outlines. Create it with New. It is safe for concurrent use.
type Parser struct {
	grammars *grammar.Runtime
	specs    specs
	maxBytes int
	maxTime  time.Duration
}

// Options configure a parser. The zero value is usable.
type Options struct {
	CacheDir string        // for compiled grammars; empty means no cache
	MaxBytes int           // 0 means DefaultMaxBytes
	MaxTime  time.Duration // 0: DefaultMaxTime
}

// New returns a parser. The caller must call Close.
func New(o Options) *Parser {
	p := &Parser{grammars: grammar.New(o.CacheDir), maxBytes: o.MaxBytes, maxTime: o.MaxTime}
	if p.maxBytes <= 0 {
		p.maxBytes = DefaultMaxBytes
	}
	if p.maxTime <= 0 {
		p.maxTime = DefaultMaxTime
	}
	return p
}

// Close releases the parser. No Parse may be running.
func (p *Parser) Close() error { return p.grammars.Close() }

// Parse returns the outline of a source file. The name determines the language. No source can crash
// the process: if the package itself fails, Parse returns an error.
func (p *Parser) Parse(ctx context.Context, name string, source []byte) (f *File, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			f, err = nil, fmt.Errorf("no outline: internal error: %v", fault)
		}
	}()
	language := Language(name, source)
	switch {
	case language == "":
		return nil, ErrLanguage
	case len(source) > p.maxBytes:
		return nil, ErrLarge
	}
	text := Text(source)
	switch {
	case IsBinary(text):
		return nil, ErrBinary
	case language == "go":
		if f, err = parseGo(text); err == nil && !utf8.Valid(source) {
			f.Errors = true // the compiler treats this as an error
		}
		return f, err
	}
	return p.parseGrammar(ctx, language, text)
}

// Head is the number of bytes at the beginning of a source that decide whether it is text.
const Head = 8000

// IsBinary reports whether a source is not text. The first [Head] bytes suffice. The source must
// come from [Text].
func IsBinary(source []byte) bool {
	return bytes.IndexByte(source[:min(len(source), Head)], 0) >= 0
}

// Language returns the language of a file by its name, or by its first line if it is a script
// without an extension. It returns "" for an unknown language.
func Language(name string, source []byte) string {
	base := path.Base(strings.ReplaceAll(name, "\\", "/"))
	ext := strings.ToLower(path.Ext(base))
	if l := byExtension(ext); l != "" {
		return l
	}
	switch base {
	case "Rakefile", "Gemfile", "Vagrantfile", "Podfile":
		return "ruby"
	case ".bashrc", ".bash_profile", ".profile":
		return "bash"
	}
	if ext != "" {
		return ""
	}
	line, _, _ := strings.Cut(string(source[:min(len(source), 120)]), "\n")
	if !strings.HasPrefix(line, "#!") {
		return ""
	}
	for _, l := range []struct{ word, language string }{
		{"python", "python"}, {"node", "javascript"}, {"ruby", "ruby"}, {"php", "php"}, {"lua", "lua"}, {"bash", "bash"}, {"/sh", "bash"}, {" sh", "bash"},
	} {
		if strings.Contains(line, l.word) {
			return l.language
		}
	}
	return ""
}

func byExtension(ext string) string {
	switch ext {
	case ".go":
		return "go"
	case ".py", ".pyi", ".pyw":
		return "python"
	case ".js", ".jsx", ".mjs", ".cjs":
		return "javascript"
	case ".ts", ".mts", ".cts":
		return "typescript"
	case ".tsx":
		return "tsx"
	case ".java":
		return "java"
	case ".c", ".h":
		return "c"
	case ".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp":
		return "cpp"
	case ".cs":
		return "csharp"
	case ".rs":
		return "rust"
	case ".rb", ".rake", ".gemspec":
		return "ruby"
	case ".php", ".phtml":
		return "php"
	case ".kt", ".kts":
		return "kotlin"
	case ".sh", ".bash":
		return "bash"
	case ".lua":
		return "lua"
	}
	return ""
}
