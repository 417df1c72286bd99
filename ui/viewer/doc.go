// Package viewer shows a large text on a sheet: wrapped, numbered, searchable, and
// formatted where it is JSON.
//
// It lays lines out and searches them off the UI goroutine, through the
// runner that it is given. It must not know where the text comes from.
package viewer
