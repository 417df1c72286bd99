// Package kit is goated's design system: the theme, and the widgets and layouts that all pages
// use.
//
// It owns the colours, the typefaces, the rendered icons, text measuring, and the one clock of
// all animations. Its widgets report the user's actions through On functions and do no work
// themselves. Everything belongs to the UI goroutine, except where a comment says otherwise.
//
// It must not depend on what the program does. It imports Fyne, the assets, and packages that draw
// or mark text and shadows. It never imports a server, a conversation or a setting.
package kit
