// Package browse holds the types that describe a workspace to a program that displays it: the tree,
// the outlines, the summaries and the imports.
//
// It owns only these types. It must not know where the data comes from or how a program displays it.
package browse

import (
	"context"
	"path"
	"time"
)

// A Workspace is an open folder. Its methods read the disk and may take long. They are safe for
// concurrent use.
type Workspace interface {
	// Root returns the absolute path of the folder.
	Root() string
	// Tree lists the files and the states of their summaries.
	Tree(ctx context.Context) (Tree, error)
	// File returns the known facts about a file or a folder of the tree.
	File(ctx context.Context, path string) (File, error)
	// Symbols returns the definitions whose names contain all words, best first. It waits briefly
	// for files that are not read yet, and reports whether all are read.
	Symbols(ctx context.Context, words []string, most int) (list []Place, complete bool, err error)
	// Imports lists which files import which.
	Imports(ctx context.Context) (Imports, error)
	// Prompt returns the prompt for a new summary of a file or a folder.
	Prompt(ctx context.Context, path string) (Prompt, error)
	// Store stores the model's answer to a prompt as the summary.
	Store(ctx context.Context, p Prompt, a Answer) error
	// Close closes the workspace.
	Close()
}

// A State tells whether the summary of a file is current.
type State int

// The states, best first. A folder has the worst state of its content.
const (
	Current State = iota
	Missing
	Outdated
)

// A Tree lists the files of a workspace and their folders, each folder before its content.
type Tree struct {
	Nodes    []Node
	Files    int
	Outdated []string // nodes whose summary is outdated, files before folders
	Missing  []string // sources that can have a summary but have none, files before folders
	More     bool     // the workspace has more files than the tree
}

// A Node is a file or a folder.
type Node struct {
	Path   string // below the root, with slashes
	Folder bool
	Source bool // a file with an outline, or a folder with such files
	Unfit  bool // a file that is named like a source but is too large or not text, so it cannot have a summary
	Size   int64
	State  State
	Own    State // the state of a folder's own summary; for a file the same as State
}

// Name returns the last element of the path.
func (n Node) Name() string { return path.Base(n.Path) }

// A Symbol is a definition in a file. Its lines count from 1 and are current.
type Symbol struct {
	Kind, Name, Parent string
	Signature, Doc     string
	Start, End         int
	Changed            bool // it changed after the summary was written
}

// A Place is where a symbol is defined.
type Place struct {
	Path         string
	Kind         string
	Name, Parent string
	Line         int // current
}

// A Text is a stored summary.
type Text struct {
	Content string
	Stale   bool
	Changed []string // the symbols that changed since then
	Written time.Time
	Model   string // the model that wrote it; empty if unknown
}

// A File holds the known facts about a file or folder.
type File struct {
	Path         string
	Folder       bool
	Language     string
	Lines        int
	Modified     time.Time
	NoOutline    string // why it has no outline; empty if it has one or is a folder
	Errors       bool   // its source has syntax errors
	Symbols      []Symbol
	Summary      *Text    // nil if there is none
	Uses, UsedBy []string // files of the workspace
	Packages     []string // imported packages that are not files of the workspace
}

// Imports are the links between the files of a workspace.
type Imports struct {
	Links   []Link
	Pending int // files that are not read yet; their links are missing
}

// A Link means that the file From imports the file To.
type Link struct{ From, To string }

// An Answer is a model's answer to a prompt.
type Answer struct {
	Text  string
	Model string // the model's name; empty if unknown
}

// A Prompt asks a model for a summary.
type Prompt struct {
	Path   string
	Text   string
	Tokens int    // approximate size of Text
	Ticket string // identifies the state of the source that the answer describes
}

// SummaryTokens is the approximate number of tokens in a summary, including the model's thoughts
// before it.
const SummaryTokens = 900

// PromptTokens estimates the tokens in the prompt for a node without reading the node.
func PromptTokens(n Node) int {
	const frame, most = 250, 12_500
	if n.Folder {
		return 1500
	}
	return frame + min(int(n.Size)/4, most)
}
