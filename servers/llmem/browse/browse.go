// Package browse holds the types that describe a workspace to a program that shows it: the tree,
// the outlines, the summaries and the imports.
//
// It owns only these types. It must not know where the data comes from or how a program shows it.
package browse

import (
	"context"
	"path"
	"time"
)

// A Workspace is an open folder. Its methods read the disk and may take long. They are safe
// for concurrent use.
type Workspace interface {
	// Root is the absolute path of the folder.
	Root() string
	// Tree lists the files with the states of their summaries.
	Tree(ctx context.Context) (Tree, error)
	// File returns what is known of a file or a folder of the tree.
	File(ctx context.Context, path string) (File, error)
	// Symbols returns the definitions whose names have all words, the best first. It waits
	// shortly for files that are not read yet.
	Symbols(ctx context.Context, words []string, most int) ([]Place, error)
	// Imports lists which files import which.
	Imports(ctx context.Context) (Imports, error)
	// Prompt returns the prompt that makes a new summary of a file or a folder.
	Prompt(ctx context.Context, path string) (Prompt, error)
	// Store keeps the model's answer to a prompt as the summary.
	Store(ctx context.Context, p Prompt, a Answer) error
	// Close ends the work of the workspace.
	Close()
}

// A State says whether the summary of a file fits the file.
type State int

// The states, the best first. A folder has the worst of those in it.
const (
	Current State = iota
	Missing
	Outdated
)

// A Tree is the files of a workspace and the folders above them, each folder before what
// is in it.
type Tree struct {
	Nodes    []Node
	Files    int
	Outdated []string // what has a summary that is older than it, files before folders
	Missing  []string // sources without a summary that can have one, files before folders
	More     bool     // the workspace has more files than the tree
}

// A Node is a file or a folder.
type Node struct {
	Path   string // below the root, with slashes
	Folder bool
	Source bool // it has an outline, or a folder holds such files
	Unfit  bool // its name is that of a source, but it is too large or no text, so no summary is possible
	Size   int64
	State  State
	Own    State // of a folder's own summary; of a file the same as State
}

// Name returns the last part of the path.
func (n Node) Name() string { return path.Base(n.Path) }

// A Symbol is a definition of a file. Lines count from 1 and are current.
type Symbol struct {
	Kind, Name, Parent string
	Signature, Doc     string
	Start, End         int
	Changed            bool // since the summary was written
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
	Changed []string // the symbols that changed since
	Written time.Time
	Model   string // that wrote it; empty: unknown
}

// A File is what is known of a file or folder.
type File struct {
	Path         string
	Folder       bool
	Language     string
	Lines        int
	Modified     time.Time
	NoOutline    string // why it has none; empty: it has one, or it is a folder
	Errors       bool   // its source has syntax errors
	Symbols      []Symbol
	Summary      *Text    // nil: none
	Uses, UsedBy []string // files of the workspace
	Packages     []string // that it imports and that are not files of the workspace
}

// Imports are the links between the files of a workspace.
type Imports struct {
	Links   []Link
	Pending int // files that are not read yet, so that their links are missing
}

// A Link says that the file From imports the file To.
type Link struct{ From, To string }

// An Answer is what a model wrote for a prompt.
type Answer struct {
	Text  string
	Model string // its name; empty: unknown
}

// A Prompt asks a model for a summary.
type Prompt struct {
	Path   string
	Text   string
	Tokens int    // of Text, about
	Ticket string // says which state of the source the answer is about
}

// SummaryTokens is how many tokens a summary has, about, with what a model thinks before.
const SummaryTokens = 900

// PromptTokens estimates the tokens of the prompt of a node without reading it.
func PromptTokens(n Node) int {
	const frame, most = 250, 12_500
	if n.Folder {
		return 1500
	}
	return frame + min(int(n.Size)/4, most)
}
