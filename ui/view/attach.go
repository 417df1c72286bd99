package view

import (
	"fmt"
	"image"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"goated/ui/view/format"
)

// MaxAttachment is how large an attached file may be.
const MaxAttachment = 20 << 20

// LargePaste is how much pasted text becomes an attachment.
const LargePaste = 20 << 10

// An Attachment is a file that goes with a message, as it is shown.
type Attachment struct {
	Name    string
	Type    string // such as image/png; text/plain for any text
	Size    int
	Preview image.Image // small; nil where there is none
	Data    []byte      // of an image without a preview, to make one of; not to be changed
}

// Image reports whether it goes to the model as an image.
func (a Attachment) Image() bool { return strings.HasPrefix(a.Type, "image/") }

// Text reports whether the model reads it as text, and not as data.
func (a Attachment) Text() bool { return a.Type == "text/plain" }

// kindNames are what a model takes as data, as people call it.
var kindNames = map[string]string{
	"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP",
	"application/pdf": "PDF",
	"audio/wav":       "WAV", "audio/ogg": "Ogg", "audio/flac": "FLAC", "audio/mp3": "MP3",
	"video/mp4": "MP4", "video/webm": "WebM",
}

// Kind is the word for what it is, with its size: "PNG · 12 kB".
func (a Attachment) Kind() string {
	kind := "Text"
	if name, ok := kindNames[a.Type]; ok {
		kind = name
	} else if ext := strings.TrimPrefix(filepath.Ext(a.Name), "."); ext != "" && len(ext) <= 5 {
		kind = strings.ToUpper(ext)
	}
	return kind + " · " + format.Size(int64(a.Size))
}

// Attach decides whether a file can go with a message, and as what. Its name
// decides nothing: what it holds does. An error is a sentence.
func Attach(name string, data []byte) (Attachment, error) {
	a := Attachment{Name: name, Size: len(data)}
	switch kind := dataType(data); {
	case len(data) > MaxAttachment:
		return a, TooLarge(name, int64(len(data)))
	case len(data) == 0:
		return a, fmt.Errorf("%s is empty", name)
	case kind != "":
		a.Type = kind
	case utf8.Valid(data) && !strings.ContainsRune(string(data), 0):
		a.Type = "text/plain"
	default:
		return a, fmt.Errorf("%s can't be attached: it is no text, and no image, sound, video or PDF that a model takes", name)
	}
	return a, nil
}

// dataType tells by how it begins what a file is that a model takes as data;
// empty if it is none.
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
	case begins(0, "\x1aE\xdf\xa3"): // Matroska, of which WebM is a part
		return "video/webm"
	}
	if ending, _ := Sound(data); ending != "" {
		return "audio/" + ending[1:]
	}
	return ""
}

// TooLarge says that a file is too large to be attached.
func TooLarge(name string, bytes int64) error {
	return fmt.Errorf("%s can't be attached: it has %s, and %d MB is the most", name, format.Size(bytes), MaxAttachment>>20)
}

// AttachedText is what the model reads of a text file: its name, and what is in
// it, in a fence that the text can't close.
func AttachedText(name, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fmt.Sprintf("Attached file %q:\n%s\n%s\n%s", name, fence, strings.TrimSuffix(text, "\n"), fence)
}

// AttachedName reads the name and the size of a file from what [AttachedText]
// wrote.
func AttachedName(text string) (name string, size int, ok bool) {
	rest, ok := strings.CutPrefix(text, "Attached file ")
	if !ok {
		return "", 0, false
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", 0, false
	}
	name, err = strconv.Unquote(quoted)
	body, fenced := strings.CutPrefix(rest[len(quoted):], ":\n```")
	if err != nil || !fenced {
		return "", 0, false
	}
	_, body, _ = strings.Cut(body, "\n")
	at := strings.LastIndexByte(body, '\n')
	return name, max(at, 0), at >= 0
}
