// Package message converts the data of the desktop server to and from the messages of the protocol:
// elements, windows, displays, and clipboard contents. It also reduces messages to the fields of a
// read mask.
//
// The package is pure logic.
package message

import (
	"errors"

	"goated/servers/desktop/copied"
	"goated/servers/desktop/element"
	pb "goated/servers/desktop/macosusesdk"
)

// Element converts an element to a message of the protocol.
func Element(e element.Element) *pb.Element {
	m := &pb.Element{Role: e.Role, ElementId: e.ID, Enabled: &e.Enabled, Focused: &e.Focused, Path: e.Path, Attributes: e.Attributes, Actions: e.Actions}
	if e.Text != "" || e.Name != "" {
		m.Text = &e.Text
		if e.Text == "" {
			m.Text = &e.Name
		}
	}
	if e.Secure {
		m.Text = nil
	}
	if e.Placed {
		m.X, m.Y, m.Width, m.Height = &e.Bounds.X, &e.Bounds.Y, &e.Bounds.Width, &e.Bounds.Height
	}
	if e.Name != "" && e.Name != e.Text || e.Secure || !e.Visible {
		attributes := make(map[string]string, len(e.Attributes)+3)
		for k, v := range e.Attributes {
			attributes[k] = v
		}
		if e.Name != "" && e.Name != e.Text {
			attributes["name"] = e.Name
		}
		if e.Secure {
			attributes["secure"] = "true"
		}
		if !e.Visible {
			attributes["visible"] = "false"
		}
		m.Attributes = attributes
	}
	return m
}

// Contents converts clipboard content to a message of the protocol. It returns nil if there is no
// content.
func Contents(c copied.Content) *pb.ClipboardContent {
	switch c.Kind {
	case copied.Text:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_TEXT, Content: &pb.ClipboardContent_Text{Text: c.Text}}
	case copied.HTML:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_HTML, Content: &pb.ClipboardContent_Html{Html: c.Text}}
	case copied.RTF:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_RTF, Content: &pb.ClipboardContent_Rtf{Rtf: c.Data}}
	case copied.Image:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_IMAGE, Content: &pb.ClipboardContent_Image{Image: c.Data}}
	case copied.Files:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_FILES, Content: &pb.ClipboardContent_Files{Files: &pb.FilePaths{Paths: c.Files}}}
	case copied.URL:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_URL, Content: &pb.ClipboardContent_Url{Url: c.Text}}
	}
	return nil
}

// Copied converts a message of the protocol to clipboard content.
func Copied(c *pb.ClipboardContent) (copied.Content, error) {
	switch v := c.GetContent().(type) {
	case *pb.ClipboardContent_Text:
		return copied.Content{Kind: copied.Text, Text: v.Text}, nil
	case *pb.ClipboardContent_Html:
		return copied.Content{Kind: copied.HTML, Text: v.Html}, nil
	case *pb.ClipboardContent_Rtf:
		return copied.Content{Kind: copied.RTF, Data: v.Rtf}, nil
	case *pb.ClipboardContent_Image:
		return copied.Content{Kind: copied.Image, Data: v.Image}, nil
	case *pb.ClipboardContent_Files:
		return copied.Content{Kind: copied.Files, Files: v.Files.GetPaths()}, nil
	case *pb.ClipboardContent_Url:
		return copied.Content{Kind: copied.URL, Text: v.Url}, nil
	}
	return copied.Content{}, errors.New("there are no contents: give text, rtf, html, image, files or url")
}

// Type returns the protocol's type for a kind of content.
func Type(k copied.Kind) pb.ContentType {
	return Contents(copied.Content{Kind: k}).GetType()
}
