// Package kit is goated's design system: the theme, and the widgets and layouts
// that every page is built of.
//
// It owns the colours, typefaces and icons as they are drawn, the measuring of
// text, and the one clock that moves what moves by itself. Its widgets report what
// the user does through On functions and do no work of their own. All of it
// belongs to the UI goroutine, except where a comment says otherwise.
//
// It must not know what the program is about: it imports Fyne, the assets and
// [goated/ui/richtext], and never a server, a conversation or a setting.
package kit
