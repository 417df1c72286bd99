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

// hasTray reports whether the desktop may show an icon for the app. Without a
// session bus there is nothing to show it, and asking would start a bus.
func hasTray(a fyne.App) bool {
	_, ok := a.(desktop.App)
	return ok && sessionBus()
}

// addTray puts an icon into the desktop's panel.
func addTray(a fyne.App, w *ui.Window) {
	if !hasTray(a) {
		return
	}
	quit := fyne.NewMenuItem("Quit", a.Quit)
	quit.IsQuit = true
	tray := a.(desktop.App) //nolint:forcetypeassert // hasTray has looked
	tray.SetSystemTrayMenu(fyne.NewMenu("goated", fyne.NewMenuItem("Show or hide", w.Toggle), fyne.NewMenuItemSeparator(), quit))
	tray.SetSystemTrayIcon(a.Icon())
}

// trayMark shows in the panel whether there is something new; nil where nothing
// would show it.
func trayMark(a fyne.App) func(unread int) {
	if !hasTray(a) {
		return nil
	}
	tray := a.(desktop.App) //nolint:forcetypeassert // hasTray has looked
	return func(unread int) {
		if unread == 0 {
			tray.SetSystemTrayIcon(a.Icon())
			return
		}
		icon, err := marked(assets.IconPNG)
		if err != nil {
			return // of our own icon: see the test
		}
		tray.SetSystemTrayIcon(fyne.NewStaticResource("goated-unread.png", icon))
	}
}

// markColour is that of the dot on an icon: it is seen on light panels and dark.
var markColour = color.NRGBA{R: 0xE8, G: 0x6A, B: 0x4A, A: 0xFF}

// marked is a PNG with a dot in its lower right corner, with a rim of nothing
// around it.
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
