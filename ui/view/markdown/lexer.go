package markdown

import (
	"archive/zip"
	"bytes"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"

	"goated/assets"
)

// languages returns chroma's lexers, by name, alias and file name. It lists them on first use,
// and reads each lexer when it is needed. Chroma's own list costs 3 MB and 6 ms in every process
// that links it, including bundled servers and keepers. The registry is empty if the archive
// cannot be read.
var languages = sync.OnceValue(func() *chroma.LexerRegistry {
	all := chroma.NewLexerRegistry()
	archive, err := zip.NewReader(bytes.NewReader(assets.Lexers), int64(len(assets.Lexers)))
	if err != nil {
		return all
	}
	for _, f := range archive.File {
		if lexer, err := chroma.NewXMLLexer(archive, f.Name); err == nil {
			all.Register(lexer)
		}
	}
	// These lexers delegate the rest of the text to another language.
	for name, around := range map[string]string{
		"ERB": "HTML", "Go HTML Template": "HTML", "PHTML": "HTML", "Svelte": "HTML", "YAML+Jinja": "YAML",
	} {
		if lexer, root := all.Get(name), all.Get(around); lexer != nil && root != nil {
			all.Register(chroma.DelegatingLexer(root, lexer))
		}
	}
	return all
})

func lexerOf(language string) chroma.Lexer {
	if language == "" {
		return nil
	}
	lexer := languages().Get(strings.ToLower(language))
	if lexer == nil {
		return nil
	}
	return chroma.Coalesce(lexer)
}
