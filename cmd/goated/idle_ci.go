//go:build !headless && (!cgo || ci)

package main

import "fyne.io/fyne/v2"

// An idler does nothing where Fyne draws without GLFW, as in tests.
type idler struct{}

func (*idler) start()        {}
func (*idler) post(f func()) { fyne.Do(f) }

// room is unknown without GLFW.
func room(fyne.Window) fyne.Size { return fyne.Size{} }
