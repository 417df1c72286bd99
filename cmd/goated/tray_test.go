//go:build !headless

package main

import (
	"bytes"
	"image/color"
	"image/png"
	"testing"

	"goated/assets"
)

func TestTheIconIsMarked(t *testing.T) {
	icon, err := marked(assets.IconPNG)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(icon))
	if err != nil {
		t.Fatal(err)
	}
	at := func(x, y int) color.NRGBA { return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA) }
	if got := at(192, 192); got != markColour {
		t.Errorf("the dot is %v", got)
	}
	if got := at(192, 192-70); got.A != 0 {
		t.Errorf("the rim is %v", got)
	}
	before, _ := png.Decode(bytes.NewReader(assets.IconPNG))
	if got, want := at(60, 60), color.NRGBAModel.Convert(before.At(60, 60)); got != want {
		t.Errorf("the rest is %v, and was %v", got, want)
	}
	if _, err := marked([]byte("no picture")); err == nil {
		t.Error("what is no picture is marked")
	}
}
