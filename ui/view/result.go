package view

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/ui/view/format"
	"goated/ui/view/picture"
)

// A Result is a tool result, divided into parts for its card. It is immutable.
type Result struct{ Parts []Part }

// A Part is one section of a result.
type Part struct {
	Kind  PartKind
	Title string // the heading
	Text  string // the whole text; JSON is indented
	Raw   string // Text as received
	Root  *Node  // Text as a tree, if it is a non-empty object or array; otherwise nil
	Grid  *Grid  // Text as a table; nil if that is not possible

	Name, URI, MIME string // the properties of a resource; images and sounds have only MIME
	About           string // the description of a resource
	Data            []byte // the content of an image, a sound, or a binary resource
	Bytes           int64  // size of Data or of the linked resource; -1 if unknown
}

// A PartKind determines how a part is shown.
type PartKind int

// The kinds of parts.
const (
	TextPart PartKind = iota
	ImagePart
	AudioPart
	LinkPart     // a resource that the server can return
	ResourcePart // an embedded resource
)

// NewResult divides a result into parts. The parts contain everything that FormatResult writes,
// except the protocol's envelope. Structured content comes first, and texts that repeat it are
// omitted.
func NewResult(r *mcp.CallToolResult) *Result {
	out := &Result{}
	twice := repetitionOf(r)
	text := "Result"
	switch {
	case twice.all():
		out.Parts = append(out.Parts, TextOf("Result", twice.text))
	case r.StructuredContent != nil:
		out.value("Result", r.StructuredContent)
		text = "Text"
	}
	for i, c := range r.Content {
		instead, replaced := twice.instead[i]
		for _, t := range instead {
			out.Parts = append(out.Parts, partsOf(text, t)...)
		}
		if !replaced {
			out.add(c, text)
		}
	}
	if hasOwnKeys(r.Meta) {
		out.value("Metadata", r.Meta)
	}
	return out
}

// add adds one content block. title is the heading for a text.
func (r *Result) add(c mcp.Content, title string) {
	var meta mcp.Meta
	var notes *mcp.Annotations
	switch c := c.(type) {
	case *mcp.TextContent:
		r.Parts = append(r.Parts, partsOf(title, c.Text)...)
		meta, notes = c.Meta, c.Annotations
	case *mcp.ImageContent:
		r.Parts = append(r.Parts, Part{Kind: ImagePart, Title: "Image", MIME: c.MIMEType, Data: c.Data, Bytes: int64(len(c.Data))})
		meta, notes = c.Meta, c.Annotations
	case *mcp.AudioContent:
		r.Parts = append(r.Parts, Part{Kind: AudioPart, Title: "Audio", MIME: c.MIMEType, Data: c.Data, Bytes: int64(len(c.Data))})
		meta, notes = c.Meta, c.Annotations
	case *mcp.ResourceLink:
		r.link(c)
		meta, notes = c.Meta, c.Annotations
	case *mcp.EmbeddedResource:
		if c.Resource != nil {
			r.resource(c.Resource)
		}
		meta, notes = c.Meta, c.Annotations
	default:
		r.value("Result", c) // a kind of content that tools do not return
	}
	if len(meta) > 0 || notes != nil {
		r.value("Annotations", struct {
			Annotations *mcp.Annotations `json:"annotations,omitempty"`
			Meta        mcp.Meta         `json:"_meta,omitempty"`
		}{notes, meta})
	}
}

func (r *Result) link(c *mcp.ResourceLink) {
	p := Part{Kind: LinkPart, Title: "Resource link", Name: c.Name, URI: c.URI, MIME: c.MIMEType, About: c.Description, Bytes: -1}
	if c.Title != "" && c.Title != c.Name {
		p.Name = c.Title + " (" + c.Name + ")"
	}
	if c.Size != nil {
		p.Bytes = *c.Size
	}
	r.Parts = append(r.Parts, p)
	if len(c.Icons) > 0 {
		r.value("Icons", c.Icons)
	}
}

func (r *Result) resource(c *mcp.ResourceContents) {
	p := TextOf("Resource", c.Text)
	p.Kind, p.Name, p.URI, p.MIME, p.Bytes = ResourcePart, nameOf(c.URI), c.URI, c.MIMEType, int64(len(c.Text))
	if len(c.Blob) > 0 {
		p.Data, p.Bytes = c.Blob, int64(len(c.Blob))
	}
	if p.Data != nil && p.Text == "" && picture.Readable(c.MIMEType) {
		p.Kind = ImagePart
	}
	r.Parts = append(r.Parts, p)
	if len(c.Meta) > 0 {
		r.value("Metadata", c.Meta)
	}
}

// value adds a protocol value as JSON.
func (r *Result) value(title string, v any) {
	r.Parts = append(r.Parts, TextOf(title, FormatJSON(v)))
}

// TextOf returns a text part. An object or array also gets a tree, and a table if possible. So
// does JSON in a fence or a sequence of objects; the text itself does not change.
func TextOf(title, text string) Part {
	p := Part{Title: title, Text: text, Raw: text}
	if !beginsBlock(strings.TrimSpace(text[:min(len(text), 100)])) {
		return p
	}
	root, ok := ParseNode(text)
	if ok && root.Nested() {
		p.Text, p.Root, p.Grid = indented(text), &root, gridOf(root)
		return p
	}
	if all := segmentsOf(text); !ok && len(all) == 1 {
		if root, ok = ParseNode(all[0].json()); ok && root.Nested() {
			p.Root, p.Grid = &root, gridOf(root)
		}
	}
	return p
}

// Preview returns the summary line of a folded card. It returns "" if there are no parts.
func (r *Result) Preview() string {
	if r == nil || len(r.Parts) == 0 {
		return ""
	}
	line := append(r.pictures(), r.words()...)
	if len(line) == 0 {
		line = []string{format.Cut(r.Parts[0].Text, maxPreview)}
	}
	return format.Cut(strings.Join(line, " · "), maxPreview)
}

// pictures names the pictures of a result for its preview. They come first, because a narrow
// window cuts off the end.
func (r *Result) pictures() []string {
	var all []Part
	for _, p := range r.Parts {
		if p.Kind == ImagePart {
			all = append(all, p)
		}
	}
	switch {
	case len(all) == 0:
		return nil
	case len(all) > 1:
		return []string{format.Plural(len(all), "", "%d pictures")}
	case len(r.words()) > 0:
		return []string{"Picture"}
	}
	return []string{"Picture, " + strings.Replace(format.Size(all[0].Bytes), ".0 ", " ", 1)}
}

// words describes the first part that adds something to the pictures.
func (r *Result) words() []string {
	for _, p := range r.Parts {
		switch {
		case p.Kind == TextPart && (p.Title == "Result" || p.Title == "Text"):
			return []string{format.Cut(p.Text, maxPreview)}
		case p.Kind != TextPart && p.Kind != ImagePart:
			return p.Facts()
		}
	}
	return nil
}

// Facts returns the name, type and size of a part. It omits what is unknown.
func (p Part) Facts() []string {
	var out []string
	for _, fact := range []string{p.Name, p.MIME} {
		if fact != "" {
			out = append(out, fact)
		}
	}
	if p.Kind != TextPart && p.Bytes >= 0 {
		out = append(out, format.Size(p.Bytes))
	}
	return out
}

// nameOf returns the last element of a URI.
func nameOf(uri string) string {
	end := strings.TrimRight(uri, "/")
	if name := end[strings.LastIndexByte(end, '/')+1:]; utf8.RuneCountInString(name) > 0 {
		return name
	}
	return uri
}

// Extension returns the file extension for the part, with its dot.
func (p Part) Extension() string {
	switch kind, _, _ := strings.Cut(p.MIME, ";"); strings.TrimSpace(kind) {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	case "image/gif":
		return ".gif"
	case "image/webp":
		return ".webp"
	case "audio/mpeg":
		return ".mp3"
	case "audio/wav", "audio/x-wav":
		return ".wav"
	case "audio/ogg":
		return ".ogg"
	}
	switch {
	case p.Kind != TextPart && p.Text == "":
		return ".bin"
	case json.Valid([]byte(cmp.Or(p.Raw, p.Text))): // JSON in a fence is text
		return ".json"
	}
	return ".txt"
}

// FileName suggests a file name for the part. It is one path element and contains only characters
// that every file system accepts. If the part has no name, FileName uses otherwise.
func (p Part) FileName(otherwise string) string {
	name := p.Name
	if name == "" {
		name = otherwise
	}
	name = strings.Map(func(c rune) rune {
		switch {
		case c < ' ', strings.ContainsRune(`/\:*?"<>|`, c):
			return '-'
		}
		return c
	}, format.Cut(name, 80))
	name = strings.Trim(name, " .-")
	if name == "" {
		name = "result"
	}
	if !strings.Contains(name, ".") {
		name += p.Extension()
	}
	return name
}
