package clipboard

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // clipboards hold it
	_ "image/jpeg" // clipboards hold it
	"image/png"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	_ "golang.org/x/image/bmp"  // clipboards hold it
	_ "golang.org/x/image/tiff" // clipboards hold it
	_ "golang.org/x/image/webp" // clipboards hold it

	"goated/servers/desktop/x11/wire"
)

// A Kind is a kind of contents.
type Kind int

// The kinds of contents, in the order in which Read prefers them.
const (
	Files Kind = 1 + iota
	Text
	Image
	HTML
	RTF
	URL
)

// A Content is what lies on the clipboard. One field is set, as Kind says.
type Content struct {
	Kind  Kind
	Text  string   // of Text, HTML and URL
	Data  []byte   // of Image (any format when written, PNG when read) and RTF
	Files []string // absolute paths
}

// ErrContent is the error for contents that cannot be written.
var ErrContent = errors.New("the clipboard cannot hold this")

// mostBytes is the most that the clipboard reads and writes.
const mostBytes = 64 << 20

// An offer is one form of contents.
type offer struct {
	target string
	data   []byte
}

// targets are the forms that other programs ask for, the preferred one first.
func targets(k Kind) []string {
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

// offers are the forms of contents for other programs.
func (c Content) offers() ([]offer, error) {
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
		return []offer{{"text/html", text}}, nil
	case URL:
		if u, err := url.Parse(c.Text); err != nil || u.Scheme == "" {
			return nil, fmt.Errorf("%w: %q is not an absolute URL", ErrContent, c.Text)
		}
		return append(plain(c.Text), offer{"text/uri-list", []byte(c.Text + "\r\n")}), nil
	case RTF:
		return []offer{{"text/rtf", c.Data}, {"application/rtf", c.Data}}, nil
	case Image:
		return pictures(c.Data)
	case Files:
		return files(c.Files)
	}
	return nil, fmt.Errorf("%w: its kind is unknown", ErrContent)
}

func plain(s string) []offer {
	b := []byte(s)
	out := []offer{{"UTF8_STRING", b}, {"text/plain;charset=utf-8", b}, {"TEXT", b}, {"text/plain", b}}
	latin := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return out
		}
		latin = append(latin, byte(r))
	}
	return append(out, offer{"STRING", latin})
}

func pictures(data []byte) ([]offer, error) {
	m, format, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: the picture is no PNG, JPEG, GIF, WebP, BMP or TIFF: %w", ErrContent, err)
	}
	if format == "png" {
		return []offer{{"image/png", data}}, nil
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrContent, err)
	}
	return []offer{{"image/png", b.Bytes()}, {http.DetectContentType(data), data}}, nil
}

func files(paths []string) ([]offer, error) {
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
	return append(plain(strings.Join(paths, "\n")), offer{"text/uri-list", []byte(strings.Join(uris, "\r\n") + "\r\n")},
		offer{"x-special/gnome-copied-files", []byte("copy\n" + strings.Join(uris, "\n"))}), nil
}

// decode makes contents of the form of a target. False: it holds none of this kind.
func decode(k Kind, target string, data []byte) (Content, bool) {
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
		c.Data = o[0].data
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

// text decodes Latin-1, UTF-16 (which Mozilla writes) and UTF-8.
func text(target string, b []byte) string {
	switch {
	case target == "STRING" && !utf8.Valid(b):
		return wire.Latin1(b)
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

// kinds lists which kinds some targets hold.
func kinds(list []string) (out []Kind) {
	for k := Files; k <= URL; k++ {
		for _, t := range targets(k) {
			if slices.Contains(list, t) {
				out = append(out, k)
				break
			}
		}
	}
	return out
}
