package view

import (
	"fmt"
	"image"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"goated/ui/view/format"
)

// MaxAttachment is the maximal size of an attached file, in bytes.
const MaxAttachment = 20 << 20

// Pasted text above either of these limits becomes an attachment. It would fill the composer and
// the conversation.
const (
	largePaste      = 8 << 10
	largePasteLines = 100
)

// LargePaste reports whether pasted text becomes an attachment.
func LargePaste(text string) bool {
	return len(text) > largePaste || strings.Count(text, "\n") >= largePasteLines
}

// PastedText is the beginning of the name of a pasted text.
const PastedText = "Pasted text"

// An Attachment is a file of a message, as the window shows it.
type Attachment struct {
	Name    string
	Type    string // the MIME type, such as image/png; text/plain for any text
	Size    int
	Preview image.Image // a thumbnail; nil if there is none
	Data    []byte      // the content of a file that is not text; read-only
	Content string      // the content of a text
}

// Pasted reports whether the file is a text that the user pasted.
func (a Attachment) Pasted() bool { return a.Text() && strings.HasPrefix(a.Name, PastedText) }

// Part returns an image or a text for the viewer.
func (a Attachment) Part() Part {
	if a.Image() {
		return Part{Kind: ImagePart, Title: "Picture", Name: a.Name, MIME: a.Type, Data: a.Data, Bytes: int64(a.Size)}
	}
	p := TextOf("Text", a.Content)
	p.Name = a.Name
	return p
}

// Image reports whether the model receives the file as an image.
func (a Attachment) Image() bool { return strings.HasPrefix(a.Type, "image/") }

// Text reports whether the model receives the file as text.
func (a Attachment) Text() bool { return a.Type == "text/plain" }

// kindNames are the names of the MIME types that a model accepts as data.
var kindNames = map[string]string{
	"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP",
	"application/pdf": "PDF",
	"audio/wav":       "WAV", "audio/ogg": "Ogg", "audio/flac": "FLAC", "audio/mp3": "MP3",
	"video/mp4": "MP4", "video/webm": "WebM",
}

// Kind returns the type and size of the file, for example "PNG · 12.0 kB".
func (a Attachment) Kind() string {
	kind := "Text"
	if name, ok := kindNames[a.Type]; ok {
		kind = name
	} else if ext := strings.TrimPrefix(filepath.Ext(a.Name), "."); ext != "" && len(ext) <= 5 {
		kind = strings.ToUpper(ext)
	}
	return kind + " · " + format.Size(int64(a.Size))
}

// Attach decides from the content of a file, not its name, whether a message can contain it, and
// as which type. The error is a text for the user.
func Attach(name string, data []byte) (Attachment, error) {
	a := Attachment{Name: name, Size: len(data)}
	switch kind := dataType(data); {
	case len(data) > MaxAttachment:
		return a, TooLarge(name, int64(len(data)))
	case len(data) == 0:
		return a, fmt.Errorf("%s is empty", name)
	case isHEIF(data):
		return a, fmt.Errorf("%s can't be attached: goated can't send HEIC or AVIF pictures, so save it as JPEG or PNG", name)
	case kind != "":
		a.Type = kind
	case utf8.Valid(data) && !strings.ContainsRune(string(data), 0):
		a.Type = "text/plain"
	default:
		return a, fmt.Errorf("%s can't be attached: models take text, images, sounds, videos and PDFs", name)
	}
	return a, nil
}

// dataType returns the MIME type of a file that a model accepts as data, judging by its first
// bytes. It returns "" for any other file.
func dataType(data []byte) string {
	begins := func(at int, sign string) bool {
		return len(data) >= at+len(sign) && string(data[at:at+len(sign)]) == sign
	}
	switch {
	case begins(0, "\x89PNG\r\n\x1a\n"):
		return "image/png"
	case begins(0, "\xff\xd8\xff"):
		return "image/jpeg"
	case begins(0, "GIF87a"), begins(0, "GIF89a"):
		return "image/gif"
	case begins(0, "RIFF") && begins(8, "WEBPVP"):
		return "image/webp"
	case begins(0, "%PDF-"):
		return "application/pdf"
	case begins(4, "ftyp"):
		return "video/mp4"
	case begins(0, "\x1aE\xdf\xa3"): // Matroska, which includes WebM
		return "video/webm"
	}
	if ending, _ := Sound(data); ending != "" {
		return "audio/" + ending[1:]
	}
	return ""
}

// isHEIF reports whether a file is a HEIC or AVIF picture. Its first bytes are those of an MP4
// file, up to the brand.
func isHEIF(data []byte) bool {
	if len(data) < 12 || string(data[4:8]) != "ftyp" {
		return false
	}
	switch string(data[8:12]) {
	case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis":
		return true
	}
	return false
}

// TooLarge returns the error for a file above [MaxAttachment].
func TooLarge(name string, bytes int64) error {
	return fmt.Errorf("%s can't be attached: it is %s, and the limit is %d MB", name, format.Size(bytes), MaxAttachment>>20)
}
