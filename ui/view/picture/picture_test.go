package picture_test

import (
	"testing"

	"goated/ui/internal/samples"
	"goated/ui/view/picture"
)

func TestImageThatCannotBeShown(t *testing.T) {
	for name, data := range map[string][]byte{
		"goated can't show this image: save it and open it elsewhere": []byte("no image"),
		"the image is too large to show (8.4 MB of at most 8.4 MB)":   make([]byte, 8<<20+1),
		"the image is damaged": samples.Chart(40, 40)[:60],
	} {
		if _, err := picture.Decode(data, 100); err == nil || err.Error() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestImageIsScaledToItsLimit(t *testing.T) {
	p, err := picture.Decode(samples.Chart(500, 200), 100)
	if err != nil || p.Width != 500 || p.Image.Bounds().Dx() != 100 {
		t.Errorf("%+v, %v", p, err)
	}
}
