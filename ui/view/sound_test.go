package view

import (
	"encoding/binary"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// wave returns n bytes of silence at 16,000 bytes per second.
func wave(n int) []byte {
	le := binary.LittleEndian
	b := append([]byte("RIFF"), 0, 0, 0, 0)
	b = append(b, "WAVELIST\x03\x00\x00\x00abc\x00fmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	b = le.AppendUint32(b, 8000)
	b = le.AppendUint32(b, 16000)
	b = append(b, 2, 0, 16, 0)
	b = le.AppendUint32(append(b, "data"...), uint32(n))
	return append(b, make([]byte, n)...)
}

func TestSoundIsKnownByItsBytes(t *testing.T) {
	vorbis := append([]byte("OggS\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00serialnumbercrc\x01vorbis\x00\x00\x00\x00\x01"), 0x44, 0xAC, 0, 0)
	vorbis = append(vorbis, make([]byte, 300)...)
	vorbis = append(vorbis, "OggS\x00\x04"...)
	vorbis = binary.LittleEndian.AppendUint64(vorbis, 3*44100)
	flac := append([]byte("fLaC"), make([]byte, 14)...)
	flac = binary.BigEndian.AppendUint64(flac, 48000<<44|48000*5)
	for _, c := range []struct {
		data   []byte
		ending string
		length time.Duration
	}{
		{wave(40000), ".wav", 2500 * time.Millisecond},
		{vorbis, ".ogg", 3 * time.Second},
		{flac, ".flac", 5 * time.Second},
		{[]byte("ID3\x04\x00"), ".mp3", 0},
		{[]byte{0xFF, 0xFB, 0x90, 0x64}, ".mp3", 0},
		{[]byte("#!/bin/sh\nrm"), "", 0},
		{[]byte("[Desktop Entry]"), "", 0},
		{[]byte("MZ\x90"), "", 0},
		{nil, "", 0},
	} {
		if ending, length := Sound(c.data); ending != c.ending || length != c.length {
			t.Errorf("%.12q is %q of %s", c.data, ending, length)
		}
	}
	if got := Clock(62*time.Second) + " " + Clock(3661*time.Second); got != "1:02 1:01:01" {
		t.Errorf("lengths are %q", got)
	}
}

// Sounds come from servers: Sound examines arbitrary bytes without a panic.
func TestAnyBytesMaySayThatTheyAreASound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := wave(40)
		if kind := rapid.SampledFrom([]string{"", "OggS", "fLaC", "\x01vorbis", "RIFF\x00\x00\x00\x00WAVE"}).Draw(t, "kind"); kind != "" {
			data = append([]byte(kind), rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "rest")...)
		} else {
			data[rapid.IntRange(12, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		if _, length := Sound(data[:rapid.IntRange(0, len(data)).Draw(t, "cut")]); length < 0 {
			t.Fatalf("a length of %s", length)
		}
	})
}
