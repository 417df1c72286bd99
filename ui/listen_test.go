package ui

import (
	"bytes"
	"encoding/binary"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/view"
)

// silence is a WAV file of so many seconds.
func silence(seconds int) []byte {
	le := binary.LittleEndian
	b := append([]byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"), 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0)
	b = le.AppendUint32(append(b, "data"...), uint32(seconds*16000))
	return append(b, make([]byte, seconds*16000)...)
}

// A sound is played by the system from a file that is named by its bytes, and
// that is gone with the window. What only says that it is a sound is not opened.
func TestSoundsArePlayed(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	opened := make(chan string, 1)
	d.openURL = func(u *url.URL) error { opened <- u.Path; return nil }
	c := view.Chat{}.Say("Ring the bell")
	for _, data := range [][]byte{silence(3), []byte("[Desktop Entry]\nExec=evil\n")} {
		c = c.Apply(agent.ToolCalled{ID: string(data[:1]), Tool: "bell"}).Apply(agent.ToolDecided{ID: string(data[:1])}).
			Apply(agent.ToolReturned{ID: string(data[:1]), Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.AudioContent{MIMEType: "audio/wav", Data: data}}}})
	}
	d.chats[0].chat = c
	d.refresh()
	d.transcript.make(1).(*card).toggle()
	if _, ok := find(d, func(l *kit.Label) bool { return strings.HasSuffix(l.Text, "0:03") }); !ok {
		t.Error("its length is not told")
	}
	test.Tap(d.button("Play"))
	path := <-opened
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, silence(3)) || filepath.Ext(path) != ".wav" {
		t.Errorf("%s holds %d bytes, %v", path, len(got), err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others can read it: %v, %v", info.Mode(), err)
	}
	d.transcript.make(1).(*card).toggle()
	d.transcript.make(2).(*card).toggle()
	if _, ok := find(d, func(b *kit.Button) bool { return b.Text == "Play" }); ok {
		t.Error("what is no sound can be played")
	}
	d.Close()
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("it is still there after the window: %v", err)
	}
}
