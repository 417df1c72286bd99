package chatcmd

import (
	"strings"
	"testing"

	"goated/internal/offers"
)

// A picture is sent to the model as a picture. If the model cannot accept a file, nothing is sent.
func TestMessageWithFiles(t *testing.T) {
	var said strings.Builder
	png := offers.Document{Name: "a.png", Data: []byte("\x89PNG\r\n\x1a\n")}
	parts, send := Message(&said, "Look", []offers.Document{png, {Name: "b.txt", Data: []byte("text")}}, true)
	if !send || len(parts) != 3 || parts[0].Text != "Look" || parts[1].InlineData == nil || parts[1].InlineData.MIMEType != "image/png" || !strings.Contains(parts[2].Text, `"b.txt"`) {
		t.Errorf("%+v, %t", parts, send)
	}
	parts, send = Message(&said, "Look", []offers.Document{{Name: "c.zip", Data: []byte("PK\x00\xff")}}, true)
	if send || parts != nil || !strings.Contains(said.String(), "c.zip can't be attached") {
		t.Errorf("%+v, %t; it says %s", parts, send, said.String())
	}
}
