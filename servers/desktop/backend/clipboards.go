package backend

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	"goated/servers/desktop/copied"
	pb "goated/servers/desktop/macosusesdk"
)

// A clipboards serves the clipboard.
type clipboards struct{ c *core }

// A board is the clipboard of a display or of a Wayland session.
type board interface {
	Read(ctx context.Context, want ...copied.Kind) (copied.Content, []copied.Kind, error)
	Write(context.Context, copied.Content) error
	Clear(context.Context) error
	History() []copied.Entry
}

func (p *clipboards) board() (board, error) {
	if w := p.c.wl; w != nil {
		return w.board()
	}
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	return s.clipboard, nil
}

// contents makes contents of the protocol; nil if there are none.
func contents(c copied.Content) *pb.ClipboardContent {
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

// content reads contents of the protocol.
func content(c *pb.ClipboardContent) (copied.Content, error) {
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
	return copied.Content{}, invalid("there are no contents: give text, rtf, html, image, files or url")
}

func contentType(k copied.Kind) pb.ContentType {
	return contents(copied.Content{Kind: k}).GetType()
}

// GetClipboard reads the clipboard.
func (p *clipboards) GetClipboard(ctx context.Context, r *pb.GetClipboardRequest) (*pb.Clipboard, error) {
	b, err := p.board()
	if err != nil {
		return nil, err
	}
	if r.GetName() != "clipboard" {
		return nil, notFound("there is no clipboard %q; its name is clipboard", r.GetName())
	}
	out := &pb.Clipboard{Name: "clipboard"}
	err = p.c.act(ctx, action{method: "GetClipboard", request: r, target: "the clipboard"}, func(ctx context.Context) (string, error) {
		c, kinds, err := b.Read(ctx)
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
	b, err := p.board()
	if err != nil {
		return nil, err
	}
	c, err := content(r.GetContent())
	if err != nil {
		return nil, err
	}
	err = p.c.act(ctx, action{method: "WriteClipboard", request: r, target: "the clipboard"}, func(ctx context.Context) (string, error) {
		return "", b.Write(ctx, c)
	})
	return &pb.WriteClipboardResponse{Success: err == nil, Type: contentType(c.Kind)}, err
}

// ClearClipboard empties the clipboard.
func (p *clipboards) ClearClipboard(ctx context.Context, r *pb.ClearClipboardRequest) (*pb.ClearClipboardResponse, error) {
	b, err := p.board()
	if err != nil {
		return nil, err
	}
	err = p.c.act(ctx, action{method: "ClearClipboard", request: r, target: "the clipboard"}, func(ctx context.Context) (string, error) {
		return "", b.Clear(ctx)
	})
	return &pb.ClearClipboardResponse{Success: err == nil}, err
}

// GetClipboardHistory lists what passed through this service, the newest first.
func (p *clipboards) GetClipboardHistory(_ context.Context, r *pb.GetClipboardHistoryRequest) (*pb.ClipboardHistory, error) {
	b, err := p.board()
	if err != nil {
		return nil, err
	}
	if r.GetName() != "clipboard/history" {
		return nil, notFound("there is no history %q; its name is clipboard/history", r.GetName())
	}
	out := &pb.ClipboardHistory{}
	for _, e := range b.History() {
		out.Entries = append(out.Entries, &pb.ClipboardHistoryEntry{CopiedTime: timestamppb.New(e.At), Content: contents(e.Content), SourceApplication: e.Source})
	}
	return out, nil
}
