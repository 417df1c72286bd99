package view

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"
)

// Sound returns the file extension and the duration of audio data. It examines only the data
// itself. The duration is 0 if the data does not contain it. The extension is empty for an
// unknown format.
func Sound(data []byte) (ending string, length time.Duration) {
	switch {
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WAVE":
		return ".wav", waveLength(data)
	case bytes.HasPrefix(data, []byte("OggS")):
		return ".ogg", oggLength(data)
	case bytes.HasPrefix(data, []byte("fLaC")):
		return ".flac", flacLength(data)
	case bytes.HasPrefix(data, []byte("ID3")), len(data) > 2 && data[0] == 0xFF && data[1]&0xE6 == 0xE2:
		return ".mp3", 0
	}
	return "", 0
}

// sampleDuration returns the duration of a number of samples at a rate per second.
func sampleDuration(samples uint64, rate uint32) time.Duration {
	if rate == 0 || samples > 1<<40 {
		return 0
	}
	return time.Duration(float64(samples) / float64(rate) * float64(time.Second))
}

func waveLength(data []byte) time.Duration {
	rate := uint32(0) // in bytes per second
	for at := 12; at+8 <= len(data); {
		kind, size := string(data[at:at+4]), int64(binary.LittleEndian.Uint32(data[at+4:]))
		body := data[at+8:]
		switch {
		case kind == "fmt " && len(body) >= 12:
			rate = binary.LittleEndian.Uint32(body[8:])
		case kind == "data":
			return sampleDuration(uint64(min(size, int64(len(body)))), rate) // a stream may announce more bytes than it contains
		}
		if size > int64(len(body)) {
			return 0
		}
		at += 8 + int(size+size%2)
	}
	return 0
}

// oggLength reads the duration from the position of the last page, in samples.
func oggLength(data []byte) time.Duration {
	rate := uint32(0)
	head := data[:min(len(data), 200)]
	if i := bytes.Index(head, []byte("\x01vorbis")); i >= 0 && i+16 <= len(head) {
		rate = binary.LittleEndian.Uint32(head[i+12:])
	} else if bytes.Contains(head, []byte("OpusHead")) {
		rate = 48000
	}
	last := bytes.LastIndex(data, []byte("OggS"))
	if last+14 > len(data) {
		return 0
	}
	return sampleDuration(binary.LittleEndian.Uint64(data[last+6:]), rate)
}

func flacLength(data []byte) time.Duration {
	if len(data) < 26 {
		return 0
	}
	packed := binary.BigEndian.Uint64(data[18:])
	return sampleDuration(packed&(1<<36-1), uint32(packed>>44))
}

// Clock formats a duration as 1:02 or 1:02:03.
func Clock(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
