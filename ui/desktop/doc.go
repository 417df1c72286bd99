// Package desktop is the page that shows what the desktop server does (seed 002): the hidden
// desktop live, the latest actions, and the button that stops everything.
//
// It owns the page, and the bar above the composer that is shown after the user stopped the
// tools. It must not depend on how pictures are taken, or on other pages. Everything in it
// belongs to the UI goroutine, except where a comment says otherwise.
package desktop
