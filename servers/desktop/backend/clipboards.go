package backend

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/clipboard"
)

// A clipboards serves the clipboard.
type clipboards struct{ c *core }

// screen returns the display, whose clipboard anyone may use.
func (p *clipboards) screen() (*screen, error) {
	if p.c.wl != nil {
		return nil, errBoard
	}
	return p.c.screen()
}

// contents makes contents of the protocol; nil if there are none.
func contents(c clipboard.Content) *pb.ClipboardContent {
	switch c.Kind {
	case clipboard.Text:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_TEXT, Content: &pb.ClipboardContent_Text{Text: c.Text}}
	case clipboard.HTML:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_HTML, Content: &pb.ClipboardContent_Html{Html: c.Text}}
	case clipboard.RTF:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_RTF, Content: &pb.ClipboardContent_Rtf{Rtf: c.Data}}
	case clipboard.Image:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_IMAGE, Content: &pb.ClipboardContent_Image{Image: c.Data}}
	case clipboard.Files:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_FILES, Content: &pb.ClipboardContent_Files{Files: &pb.FilePaths{Paths: c.Files}}}
	case clipboard.URL:
		return &pb.ClipboardContent{Type: pb.ContentType_CONTENT_TYPE_URL, Content: &pb.ClipboardContent_Url{Url: c.Text}}
	}
	return nil
}

// content reads contents of the protocol.
func content(c *pb.ClipboardContent) (clipboard.Content, error) {
	switch v := c.GetContent().(type) {
	case *pb.ClipboardContent_Text:
		return clipboard.Content{Kind: clipboard.Text, Text: v.Text}, nil
	case *pb.ClipboardContent_Html:
		return clipboard.Content{Kind: clipboard.HTML, Text: v.Html}, nil
	case *pb.ClipboardContent_Rtf:
		return clipboard.Content{Kind: clipboard.RTF, Data: v.Rtf}, nil
	case *pb.ClipboardContent_Image:
		return clipboard.Content{Kind: clipboard.Image, Data: v.Image}, nil
	case *pb.ClipboardContent_Files:
		return clipboard.Content{Kind: clipboard.Files, Files: v.Files.GetPaths()}, nil
	case *pb.ClipboardContent_Url:
		return clipboard.Content{Kind: clipboard.URL, Text: v.Url}, nil
	}
	return clipboard.Content{}, invalid("there are no contents: give text, rtf, html, image, files or url")
}

func contentType(k clipboard.Kind) pb.ContentType {
	return contents(clipboard.Content{Kind: k}).GetType()
}

// GetClipboard reads the clipboard.
func (p *clipboards) GetClipboard(ctx context.Context, r *pb.GetClipboardRequest) (*pb.Clipboard, error) {
	s, err := p.screen()
	if err != nil {
		return nil, err
	}
	if r.GetName() != "clipboard" {
		return nil, notFound("there is no clipboard %q; its name is clipboard", r.GetName())
	}
	out := &pb.Clipboard{Name: "clipboard"}
	err = p.c.act(ctx, action{method: "GetClipboard", request: r, target: "the clipboard"}, func(ctx context.Context) (string, error) {
		c, kinds, err := s.clipboard.Read(ctx)
		out.Content = contents(c)
		for _, k := range kinds {
			out.AvailableTypes = append(out.AvailableTypes, contentType(k))
		}
		return "", err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// WriteClipboard puts contents on the clipboard.
func (p *clipboards) WriteClipboard(ctx context.Context, r *pb.WriteClipboardRequest) (*pb.WriteClipboardResponse, error) {
	s, err := p.screen()
	if err != nil {
		return nil, err
	}
	c, err := content(r.GetContent())
	if err != nil {
		return nil, err
	}
	err = p.c.act(ctx, action{method: "WriteClipboard", request: r, target: "the clipboard"}, func(ctx context.Context) (string, error) {
		return "", s.clipboard.Write(ctx, c)
	})
	return &pb.WriteClipboardResponse{Success: err == nil, Type: contentType(c.Kind)}, err
}

// ClearClipboard empties the clipboard.
func (p *clipboards) ClearClipboard(ctx context.Context, r *pb.ClearClipboardRequest) (*pb.ClearClipboardResponse, error) {
	s, err := p.screen()
	if err != nil {
		return nil, err
	}
	err = p.c.act(ctx, action{method: "ClearClipboard", request: r, target: "the clipboard"}, func(ctx context.Context) (string, error) {
		return "", s.clipboard.Clear(ctx)
	})
	return &pb.ClearClipboardResponse{Success: err == nil}, err
}

// GetClipboardHistory lists what passed through this service, the newest first.
func (p *clipboards) GetClipboardHistory(_ context.Context, r *pb.GetClipboardHistoryRequest) (*pb.ClipboardHistory, error) {
	s, err := p.screen()
	if err != nil {
		return nil, err
	}
	if r.GetName() != "clipboard/history" {
		return nil, notFound("there is no history %q; its name is clipboard/history", r.GetName())
	}
	out := &pb.ClipboardHistory{}
	for _, e := range s.clipboard.History() {
		out.Entries = append(out.Entries, &pb.ClipboardHistoryEntry{CopiedTime: timestamppb.New(e.At), Content: contents(e.Content), SourceApplication: e.Source})
	}
	return out, nil
}
