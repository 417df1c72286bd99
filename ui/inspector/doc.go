// Package inspector is the page that shows the messages between goated, its servers and its
// model, while they are exchanged (seed 004, MCPInspector).
//
// It owns the list, its filters, the tiles with the statistics of tools, and the detail of one
// message. [goated/internal/inspect] pairs the messages and computes the statistics. The package
// must not depend on the transport of messages or on other pages. [Hooks] contains what it needs
// from the window. Everything in it belongs to the UI goroutine, except where a comment says
// otherwise.
package inspector
