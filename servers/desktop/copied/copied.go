// Package copied describes the contents of a clipboard: their kinds, the formats that programs
// request, and a history. It is pure logic that all window systems share, and must not know any of
// them.
package copied

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // clipboards may contain it
	_ "image/jpeg" // clipboards may contain it
	"image/png"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	_ "golang.org/x/image/bmp"  // clipboards may contain it
	_ "golang.org/x/image/tiff" // clipboards may contain it
	_ "golang.org/x/image/webp" // clipboards may contain it
)

// A Kind is a kind of content.
type Kind int

// The kinds of content, in the order in which Read prefers them.
const (
	Files Kind = 1 + iota
	Text
	Image
	HTML
	RTF
	URL
)

// A Content is the content of a clipboard. Kind defines which field is set.
type Content struct {
	Kind  Kind
	Text  string   // for Text, HTML and URL
	Data  []byte   // for Image (any format when written, PNG when read) and RTF
	Files []string // for Files; absolute paths
}

// ErrContent is the error for content that cannot be written. The other errors occur when reading.
var (
	ErrContent = errors.New("the clipboard cannot hold this")
	ErrSecret  = errors.New("a password manager marked the clipboard as secret")
	ErrOwner   = errors.New("the program that owns the clipboard did not answer")
)

// MostBytes is the maximum size of content that is read or written.
const MostBytes = 64 << 20

// Hint is the target with which password managers mark what they copy. Its value is "secret" then.
const Hint = "x-kde-passwordManagerHint"

// An Offer is content in one format.
type Offer struct {
	Target string
	Data   []byte
}

// Targets returns the formats that other programs request for a kind, preferred format first.
func Targets(k Kind) []string {
	switch k {
	case Files:
		return []string{"x-special/gnome-copied-files", "text/uri-list"}
	case Text:
		return []string{"UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT"}
	case Image:
		return []string{"image/png", "image/jpeg", "image/webp", "image/bmp", "image/tiff", "image/gif"}
	case HTML:
		return []string{"text/html"}
	case RTF:
		return []string{"text/rtf", "application/rtf", "text/richtext"}
	case URL:
		return []string{"text/x-moz-url", "_NETSCAPE_URL"}
	}
	return nil
}

// Offers returns the content in the formats that other programs request.
func (c Content) Offers() ([]Offer, error) {
	offers, err := c.forms()
	for _, o := range offers {
		if len(o.Data) > MostBytes {
			return nil, fmt.Errorf("%w: it has %d bytes; at most %d", ErrContent, len(o.Data), MostBytes)
		}
	}
	return offers, err
}

func (c Content) forms() ([]Offer, error) {
	switch c.Kind {
	case Text, HTML, URL:
		if !utf8.ValidString(c.Text) {
			return nil, fmt.Errorf("%w: the text is not UTF-8", ErrContent)
		}
	}
	text := []byte(c.Text)
	switch c.Kind {
	case Text:
		return plain(c.Text), nil
	case HTML:
		return []Offer{{"text/html", text}}, nil
	case URL:
		if u, err := url.Parse(c.Text); err != nil || u.Scheme == "" {
			return nil, fmt.Errorf("%w: %q is not an absolute URL", ErrContent, c.Text)
		}
		return append(plain(c.Text), Offer{"text/uri-list", []byte(c.Text + "\r\n")}), nil
	case RTF:
		return []Offer{{"text/rtf", c.Data}, {"application/rtf", c.Data}}, nil
	case Image:
		return pictures(c.Data)
	case Files:
		return files(c.Files)
	}
	return nil, fmt.Errorf("%w: its kind is unknown", ErrContent)
}

func plain(s string) []Offer {
	b := []byte(s)
	out := []Offer{{"UTF8_STRING", b}, {"text/plain;charset=utf-8", b}, {"TEXT", b}, {"text/plain", b}}
	latin := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return out
		}
		latin = append(latin, byte(r))
	}
	return append(out, Offer{"STRING", latin})
}

// maxPixels limits a picture, because a small file can have very many.
const maxPixels = 64 << 20

func pictures(data []byte) ([]Offer, error) {
	c, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err == nil && c.Height > 0 && c.Width > maxPixels/c.Height {
		return nil, fmt.Errorf("%w: the picture has %d × %d pixels, and at most %d are possible", ErrContent, c.Width, c.Height, maxPixels)
	}
	var m image.Image
	if err == nil {
		m, _, err = image.Decode(bytes.NewReader(data))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the picture is not a PNG, JPEG, GIF, WebP, BMP or TIFF: %w", ErrContent, err)
	}
	if format == "png" {
		return []Offer{{"image/png", data}}, nil
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContent, err)
	}
	return []Offer{{"image/png", b.Bytes()}, {http.DetectContentType(data), data}}, nil
}

func files(paths []string) ([]Offer, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("%w: there are no files", ErrContent)
	}
	var uris []string
	for _, p := range paths {
		if !filepath.IsAbs(p) || strings.ContainsAny(p, "\x00") {
			return nil, fmt.Errorf("%w: %q is not an absolute path", ErrContent, p)
		}
		uris = append(uris, (&url.URL{Scheme: "file", Path: filepath.ToSlash(p)}).String())
	}
	return append(plain(strings.Join(paths, "\n")), Offer{"text/uri-list", []byte(strings.Join(uris, "\r\n") + "\r\n")},
		Offer{"x-special/gnome-copied-files", []byte("copy\n" + strings.Join(uris, "\n"))}), nil
}

// Decode converts data in the format of a target to content of a kind. It returns false if the data
// contains none of this kind.
func Decode(k Kind, target string, data []byte) (Content, bool) {
	c := Content{Kind: k}
	switch k {
	case Text:
		c.Text = text(target, data)
	case HTML:
		c.Text = text("", data)
	case RTF:
		c.Data = data
	case Image:
		o, err := pictures(data)
		if err != nil {
			return c, false
		}
		c.Data = o[0].Data
	case URL:
		c.Text, _, _ = strings.Cut(text("", data), "\n")
	case Files:
		for line := range strings.Lines(string(data)) {
			if u, err := url.Parse(strings.TrimSpace(line)); err == nil && u.Scheme == "file" && u.Path != "" {
				c.Files = append(c.Files, u.Path)
			}
		}
		return c, len(c.Files) > 0
	}
	return c, true
}

// text decodes Latin-1, UTF-16 (which Mozilla writes) or UTF-8.
func text(target string, b []byte) string {
	switch {
	case target == "STRING" && !utf8.Valid(b):
		r := make([]rune, len(b))
		for i, c := range b {
			r[i] = rune(c)
		}
		return string(r)
	case len(b) >= 2 && len(b)%2 == 0 && (bytes.HasPrefix(b, []byte{0xff, 0xfe}) || !bytes.HasPrefix(b, []byte{0xff}) && b[0] != 0 && b[1] == 0):
		b = bytes.TrimPrefix(b, []byte{0xff, 0xfe})
		u := make([]uint16, len(b)/2)
		for i := range u {
			u[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
		}
		return string(utf16.Decode(u))
	}
	return strings.ToValidUTF8(strings.TrimRight(string(b), "\x00"), "\uFFFD")
}

// Kinds returns the kinds of content that are available in the listed targets.
func Kinds(list []string) (out []Kind) {
	for k := Files; k <= URL; k++ {
		for _, t := range Targets(k) {
			if slices.Contains(list, t) {
				out = append(out, k)
				break
			}
		}
	}
	return out
}

// Restorable reports whether a single write can restore content that is available in these kinds.
// For example, a copied table also has a format with its layout, which would be lost.
func Restorable(kinds []Kind) bool {
	return len(kinds) == 0 || len(kinds) == 1 && kinds[0] == Text
}
