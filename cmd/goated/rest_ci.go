//go:build !headless && (!cgo || ci)

package main

import "fyne.io/fyne/v2"

// A rest is nothing where Fyne draws without GLFW, as in tests.
type rest struct{}

func (*rest) start()        {}
func (*rest) post(f func()) { fyne.Do(f) }

// room is not known there.
func room(fyne.Window) fyne.Size { return fyne.Size{} }
