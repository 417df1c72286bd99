// Package desktop is the page that shows what the desktop server does (seed 002): the
// hidden desktop live, the last actions, and the button that stops everything.
//
// It owns the page, and the bar above the composer after you stopped the tools. It
// must not know how pictures are taken, nor other pages. Everything in it belongs to the UI
// goroutine, except where a comment says otherwise.
package desktop
