// Package virtual provides long lists that create objects only for the visible rows, and reuse
// them while the user scrolls.
//
// It owns three types. [List] is for rows of one height, with a scroll bar and keyboard control.
// [VarList] is for rows of several kinds and heights. [Heights] finds the row at a position.
// Everything belongs to the UI goroutine.
//
// The package must not depend on the content of rows: the owner of the rows creates and binds
// their objects. It imports Fyne and [goated/ui/kit], and kit does not import it.
package virtual
