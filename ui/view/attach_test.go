package view

import (
	"strings"
	"testing"
)

func TestWhatCanBeAttached(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n0000"
	for _, c := range []struct{ name, data, kind, says string }{
		{"a.png", png, "image/png", ""},
		{"wrong name.txt", png, "image/png", ""},
		{"a.jpg", "\xff\xd8\xff\xe0", "image/jpeg", ""},
		{"a.gif", "GIF89a", "image/gif", ""},
		{"a.webp", "RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp", ""},
		{"a.pdf", "%PDF-1.7\n", "application/pdf", ""},
		{"a.wav", "RIFF\x00\x00\x00\x00WAVEfmt ", "audio/wav", ""},
		{"a.mp3", "ID3\x04", "audio/mp3", ""},
		{"a.mp4", "\x00\x00\x00\x18ftypisom", "video/mp4", ""},
		{"a.webm", "\x1aE\xdf\xa3\x01", "video/webm", ""},
		{"a.go", "package a\n", "text/plain", ""},
		{"page.html", "<html>", "text/plain", ""},
		{"empty", "", "", "empty is empty"},
		{"a.bmp", "BM\x00\x00\x00", "", "a.bmp can't be attached: models take text, images, sounds, videos and PDFs"},
		{"photo.heic", "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "", "photo.heic can't be attached: goated can't send HEIC or AVIF pictures, so save it as JPEG or PNG"},
		{"photo.avif", "\x00\x00\x00\x1cftypavif", "", "photo.avif can't be attached: goated can't send HEIC or AVIF pictures, so save it as JPEG or PNG"},
		{"a.bin", "\x00\x01\x02", "", "a.bin can't be attached: models take text, images, sounds, videos and PDFs"},
		{"huge.txt", strings.Repeat("a", MaxAttachment+1), "", "huge.txt can't be attached: it is 21.0 MB, and the limit is 20 MB"},
	} {
		a, err := Attach(c.name, []byte(c.data))
		if got := ""; err != nil {
			if got = err.Error(); got != c.says {
				t.Errorf("%s: it says %q, not %q", c.name, got, c.says)
			}
			continue
		}
		if c.says != "" || a.Type != c.kind || a.Size != len(c.data) {
			t.Errorf("%s is attached as %+v", c.name, a)
		}
	}
}

func TestAttachmentSaysWhatItIs(t *testing.T) {
	for want, a := range map[string]Attachment{
		"PNG · 12.3 kB":  {Name: "a.png", Type: "image/png", Size: 12_300},
		"WebP · 3.4 MB":  {Name: "a", Type: "image/webp", Size: 3_400_000},
		"PDF · 2.0 MB":   {Name: "paper", Type: "application/pdf", Size: 2_000_000},
		"GO · 812 bytes": {Name: "main.go", Type: "text/plain", Size: 812},
		"Text · 1 byte":  {Name: "LICENSE", Type: "text/plain", Size: 1},
	} {
		if got := a.Kind(); got != want {
			t.Errorf("it says %q, not %q", got, want)
		}
	}
}
