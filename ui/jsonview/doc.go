// Package jsonview shows JSON as a tree that the user can fold and copy from.
//
// It owns the selection. Package view parses the values and tracks which rows are open. Package
// jsonview must not depend on the source of the JSON: a tool's result, its arguments or a log.
package jsonview
