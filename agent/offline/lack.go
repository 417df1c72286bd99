package offline

import (
	"cmp"
	"fmt"

	"goated/agent/intent"
)

// missingOperationText returns a sentence about the file operation that no connected tool supports. If a tool
// would replace the file instead, the sentence names it, and the user decides whether to use it.
func missingOperationText(l *intent.Lack, offers map[string]*declaredTool) string {
	switch l.Operation {
	case intent.AddToFile:
		said := "No connected tool adds to a file."
		if l.Replaces != nil {
			file := cmp.Or(l.File, "the file")
			said += fmt.Sprintf(" “%s” replaces the whole file, so it would delete what %s holds now. If you want that, ask me to write the new text to %s.", offers[l.Replaces.Name].label(), file, file)
		}
		return said
	case intent.RemoveFromFile:
		return "No connected tool removes a part of a file. I did not delete " + l.File + "."
	case intent.MoveFile:
		return "No connected tool moves or renames files."
	case intent.CopyFile:
		return "No connected tool copies files."
	}
	return "No connected tool deletes files."
}
