// Package kit is goated's design system: the theme, and the widgets and layouts
// of every page.
//
// It owns the colours, the typefaces, the rendered icons, text measuring and the
// one clock of all animations. Its widgets report the user's actions through On
// functions and do no work of their own. Everything belongs to the UI goroutine,
// except where a comment says otherwise.
//
// It must not know what the program does: it imports Fyne, the assets and
// [goated/ui/richtext], and never a server, a conversation or a setting.
package kit
