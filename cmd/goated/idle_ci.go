//go:build !headless && (!cgo || ci)

package main

import "fyne.io/fyne/v2"

// An idler does nothing in builds in which Fyne draws without GLFW, for example in tests.
type idler struct{}

func (*idler) start()        {}
func (*idler) post(f func()) { fyne.Do(f) }

// room returns a zero size: without GLFW, it is unknown.
func room(fyne.Window) fyne.Size { return fyne.Size{} }
