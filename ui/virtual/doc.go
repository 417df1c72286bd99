// Package virtual is the long columns of the window: lists that make objects only for
// the rows that are visible, and reuse them while the user scrolls.
//
// It owns [List], for rows of one height, with its scroll bar and its keys; [VarList],
// for rows of several kinds and heights; and [Heights], which finds the row at a
// position. Everything belongs to the UI goroutine.
//
// It must not know what a row shows: whoever has the rows makes and binds their objects.
// It imports Fyne and [goated/ui/kit], and kit does not know it.
package virtual
