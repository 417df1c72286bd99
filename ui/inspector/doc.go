// Package inspector is the page that shows the messages between goated, its servers and
// its model, while they travel (seed 004, MCPInspector).
//
// It owns the list, its filters, the tiles with the figures of tools, and the detail of one
// message. [goated/internal/inspect] pairs the messages and computes the figures. The
// package must not know how messages travel, nor other pages: what it needs of the window
// is in [Hooks]. Everything in it belongs to the UI goroutine, except where a comment says
// otherwise.
package inspector
