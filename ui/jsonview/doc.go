// Package jsonview shows JSON: a tree to fold and copy from, and a table.
//
// It owns the state of what is folded and selected. The values themselves are
// parsed by ui/view. It must not know where the JSON comes from: a tool's result,
// its arguments or a log.
package jsonview
