package assets

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

func TestEveryIconHasTheStrokeThatIsReplaced(t *testing.T) {
	entries, err := icons.ReadDir("icons")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		svg, err := Icon(strings.TrimSuffix(e.Name(), ".svg"))
		if err != nil {
			t.Error(err)
		}
		if !bytes.Contains(svg, []byte(Stroke)) {
			t.Errorf("%s has no stroke of colour %s", e.Name(), Stroke)
		}
	}
	if _, err := Icon("no such icon"); err == nil {
		t.Error("an icon that does not exist was found")
	}
}

func TestIconIs256Pixels(t *testing.T) {
	c, err := png.DecodeConfig(bytes.NewReader(IconPNG))
	if err != nil {
		t.Fatal(err)
	}
	if c.Width != 256 || c.Height != 256 {
		t.Errorf("icon.png is %d×%d pixels", c.Width, c.Height)
	}
}

func TestEverythingIsUnderThreeMegabytes(t *testing.T) {
	total := 0
	for _, b := range [][]byte{InterRegular, InterMedium, InterSemiBold, InterItalic, MonoRegular, MonoBold, MathRegular, IconSVG, IconPNG} {
		if len(b) == 0 {
			t.Error("an embedded file is empty")
		}
		total += len(b)
	}
	if total > 3<<20 {
		t.Errorf("the assets are %d bytes", total)
	}
}
