package copied

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/png"
	"strings"
	"testing"
)

// A small file can claim a picture that does not fit into memory. It is refused before it is decoded.
func TestHugePictureIsRefused(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	header := data[12:29] // its type, width, height and form
	binary.BigEndian.PutUint32(header[4:], 1<<14)
	binary.BigEndian.PutUint32(header[8:], 1<<14)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(header))
	if _, err := (Content{Kind: Image, Data: data}).Offers(); !errors.Is(err, ErrContent) || !strings.Contains(err.Error(), "16384 × 16384 pixels") {
		t.Errorf("%v", err)
	}
}
