// Package viewer shows a large text on a sheet. It wraps and numbers the lines, searches them,
// and formats JSON.
//
// It breaks lines and searches off the UI goroutine, on the given runner. It must not depend on
// the source of the text.
package viewer
