package artifacts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"goated/servers/llmem/browse"
)

// An item is a row of the tree: a file, a folder, or a symbol that the search found.
type item struct {
	browse.Node
	symbol *browse.Place // nil for a file or a folder
}

// key returns a key that is unique among the items of a tree.
func (i item) key() string {
	if i.symbol == nil {
		return i.Path
	}
	return fmt.Sprintf("%s:%d %s", i.Path, i.symbol.Line, i.symbol.Name)
}

// name returns the name of a symbol with its parent.
func (i item) name() string {
	if i.symbol.Parent == "" {
		return i.symbol.Name
	}
	return i.symbol.Parent + "." + i.symbol.Name
}

// line returns the first line of a symbol, or 0 for a file.
func (i item) line() int {
	if i.symbol == nil {
		return 0
	}
	return i.symbol.Line
}

// maxFound limits how many symbols a search lists.
const maxFound = 40

// A symbolSearch finds symbols besides the files, while the user types.
type symbolSearch struct {
	cancel context.CancelFunc // cancels the latest search; nil: there was none
	number int                // the number of the latest search
	found  []browse.Place
}

func (s *symbolSearch) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.found = nil
	s.number++
}

// begin searches for the words in the field. It cancels the previous search.
func (s *symbolSearch) begin(t *tree) {
	s.stop()
	text, space := strings.TrimSpace(t.find.Text), t.page.space
	if len(text) < 2 || space == nil {
		return
	}
	ctx, cancel := context.WithCancel(t.page.shell.Ctx)
	s.cancel = cancel
	number := s.number
	var look func()
	look = func() {
		t.page.work().Run(func() func() {
			list, complete, err := space.Symbols(ctx, strings.Fields(text), maxFound)
			return func() {
				if number != s.number || err != nil { // if the search fails, the tree still shows the files
					return
				}
				if !slices.Equal(list, s.found) {
					s.found = list
					t.fold()
				}
				if !complete { // the rest of the files is being read
					look()
				}
			}
		})
	}
	look()
}
