package ui_test

import (
	"image"
	"image/color"
	"testing"

	"goated/ui"
	"goated/ui/chats"
	"goated/ui/view"
)

// attached returns the files of a message: a picture, a table and a pasted text.
func attached() []chats.Attached {
	img := image.NewNRGBA(image.Rect(0, 0, 160, 160))
	for y := range 160 {
		for x := range 160 {
			img.Set(x, y, color.NRGBA{uint8(90 + x/2), uint8(140 + y/3), 120, 255})
		}
	}
	return []chats.Attached{
		{Attachment: view.Attachment{Name: "harbour at dusk.png", Type: "image/png", Size: 1_240_000, Preview: img}},
		{Attachment: view.Attachment{Name: "tides.csv", Type: "text/plain", Size: 18_400}},
		{Attachment: view.Attachment{Name: "Pasted text.txt", Type: "text/plain", Size: 31_000}},
	}
}

// withFiles returns a conversation whose next message has files.
func withFiles(c view.Chat) *chats.Conversation {
	with := conversationOf(c)
	with.Files = attached()
	return with
}

func TestPictureAttachments(t *testing.T) {
	d := pictured(t, false, ui.Options{})
	files := attached()
	d.window.ShowChats(0, withFiles(view.Chat{}.Say("What is on this picture, and does the table agree with it?", files[0].Attachment, files[1].Attachment)))
	d.write("And this one?")
	d.looksLike("attachments", false)
}
