//go:build !headless

package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/assets"
	"goated/ui"
)

// hasTray reports whether the desktop may show a tray icon. Without a session bus it cannot, and
// checking would start a bus.
func hasTray(a fyne.App) bool {
	_, ok := a.(desktop.App)
	return ok && sessionBus()
}

// addTray adds the tray icon and its menu.
func addTray(a fyne.App, w *ui.Window) {
	if !hasTray(a) {
		return
	}
	quit := fyne.NewMenuItem("Quit", func() { ui.Quit(w) })
	quit.IsQuit = true
	tray := a.(desktop.App) //nolint:forcetypeassert // hasTray checked it
	tray.SetSystemTrayMenu(fyne.NewMenu("goated", fyne.NewMenuItem("Show or hide", w.Toggle), fyne.NewMenuItemSeparator(), quit))
	tray.SetSystemTrayIcon(a.Icon())
}

// trayMark returns a function that marks the tray icon while something is unread. It returns nil if
// there is no tray.
func trayMark(a fyne.App) func(unread int) {
	if !hasTray(a) {
		return nil
	}
	tray := a.(desktop.App) //nolint:forcetypeassert // hasTray checked it
	return func(unread int) {
		if unread == 0 {
			tray.SetSystemTrayIcon(a.Icon())
			return
		}
		icon, err := marked(assets.IconPNG)
		if err != nil {
			return // cannot happen for goated's own icon, as a test checks
		}
		tray.SetSystemTrayIcon(fyne.NewStaticResource("goated-unread.png", icon))
	}
}

// markColour is the colour of the mark, which is visible on light and dark panels.
var markColour = color.NRGBA{R: 0xE8, G: 0x6A, B: 0x4A, A: 0xFF}

// marked returns the icon as a PNG with a dot in its lower right corner. The dot has a transparent
// rim.
func marked(icon []byte) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(icon))
	if err != nil {
		return nil, fmt.Errorf("marking the icon: %w", err)
	}
	size := from.Bounds().Size()
	img := image.NewNRGBA(image.Rectangle{Max: size})
	draw.Draw(img, img.Rect, from, from.Bounds().Min, draw.Src)
	radius := min(size.X, size.Y) / 4
	rim := radius + radius/4
	for y := size.Y - 2*rim; y < size.Y; y++ {
		for x := size.X - 2*rim; x < size.X; x++ {
			dx, dy := x-(size.X-radius), y-(size.Y-radius)
			switch d := dx*dx + dy*dy; {
			case d < radius*radius:
				img.SetNRGBA(x, y, markColour)
			case d < rim*rim:
				img.SetNRGBA(x, y, color.NRGBA{})
			}
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return nil, fmt.Errorf("marking the icon: %w", err)
	}
	return out.Bytes(), nil
}
