package ghost

import (
	"bytes"
	"encoding/binary"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the bundled sounds")

const sampleRate = 16000

// A tone is a note in a bundled sound. hertz 0 is a pause.
type tone struct{ hertz, seconds float64 }

// recipes holds the notes: A3 twice; A4; C5 and G5.
func recipes() map[string][]tone {
	return map[string][]tone{
		"error":   {{220, 0.17}, {0, 0.05}, {220, 0.24}},
		"warning": {{440, 0.40}},
		"success": {{523.25, 0.16}, {783.99, 0.32}},
	}
}

func samples(tones []tone) []int16 {
	var out []int16
	for _, t := range tones {
		n := int(t.seconds * sampleRate)
		for i := range n {
			at := float64(i) / sampleRate
			wave := 0.0
			for k, loud := range []float64{1, 0.28, 0.10} {
				wave += loud * math.Sin(2*math.Pi*t.hertz*float64(k+1)*at)
			}
			// Fade in for 10 ms, then fade out over the whole tone.
			in := min(1, at/0.010)
			in = 0.5 - 0.5*math.Cos(math.Pi*in)
			out1 := 0.5 + 0.5*math.Cos(math.Pi*float64(i)/float64(n-1))
			out = append(out, int16(math.Round(0.42*32767*wave*in*out1/1.38)))
		}
	}
	return out
}

func wav(pcm []int16) []byte {
	var b bytes.Buffer
	size := uint32(2 * len(pcm))
	le := func(v any) { binary.Write(&b, binary.LittleEndian, v) }
	b.WriteString("RIFF")
	le(36 + size)
	b.WriteString("WAVEfmt ")
	le(uint32(16))
	le([]uint16{1, 1}) // PCM, mono
	le([]uint32{sampleRate, 2 * sampleRate})
	le([]uint16{2, 16})
	b.WriteString("data")
	le(size)
	le(pcm)
	return b.Bytes()
}

func TestBundledSounds(t *testing.T) {
	seen := map[string]string{}
	for kind, tones := range recipes() {
		want := wav(samples(tones))
		if *update {
			if err := os.WriteFile(filepath.Join("sounds", kind+".wav"), want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := bundled.ReadFile("sounds/" + kind + ".wav")
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > 20_000 {
			t.Errorf("%s: %d bytes, want at most 20000", kind, len(got))
		}
		if len(got) != len(want) || !bytes.Equal(got[:44], want[:44]) {
			t.Fatalf("%s: length or header differs from the recipe", kind)
		}
		for i := 44; i < len(got); i += 2 {
			g, w := int16(binary.LittleEndian.Uint16(got[i:])), int16(binary.LittleEndian.Uint16(want[i:]))
			if d := int(g) - int(w); d < -1 || d > 1 { // floating-point results differ between processors
				t.Fatalf("%s: sample %d is %d, recipe says %d", kind, (i-44)/2, g, w)
			}
		}
		first, last := binary.LittleEndian.Uint16(got[44:]), binary.LittleEndian.Uint16(got[len(got)-2:])
		if first != 0 || last != 0 {
			t.Errorf("%s: begins at %d and ends at %d, a click", kind, first, last)
		}
		if other, dup := seen[string(got)]; dup {
			t.Errorf("%s and %s are the same sound", kind, other)
		}
		seen[string(got)] = kind
	}
}

func TestUnpack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "cache")
	want, err := fs.ReadFile(bundled, "sounds/error.wav")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "error.wav")
	check := func(what string) {
		t.Helper()
		got, err := unpack(dir, "error")
		if err != nil || got != file {
			t.Fatalf("%s: unpack = %q, %v; want %q", what, got, err, file)
		}
		if data, _ := os.ReadFile(file); !bytes.Equal(data, want) {
			t.Errorf("%s: wrong content", what)
		}
		if info, _ := os.Lstat(file); info.Mode() != 0o600 {
			t.Errorf("%s: mode %v, want a regular file with 0600", what, info.Mode())
		}
		if names := readNames(t, dir); len(names) != 1 {
			t.Errorf("%s: litter: %v", what, names)
		}
	}
	check("first")
	before, _ := os.Stat(file)
	check("again")
	if after, _ := os.Stat(file); !os.SameFile(before, after) {
		t.Error("an intact file was written again")
	}
	os.WriteFile(file, []byte("tampered"), 0o600)
	check("tampered")

	outside := filepath.Join(t.TempDir(), "precious")
	os.WriteFile(outside, want, 0o644)
	os.Remove(file)
	os.Symlink(outside, file)
	check("link")
	if info, _ := os.Stat(outside); info.Mode() != 0o644 {
		t.Error("the target of the link was touched")
	}
	if _, err := unpack(dir, "../error"); err == nil {
		t.Error("unpacked an unknown sound")
	}
}
