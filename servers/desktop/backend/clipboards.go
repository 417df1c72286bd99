package backend

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/types/known/timestamppb"

	"goated/servers/desktop/copied"
	"goated/servers/desktop/fault"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/message"
)

// A clipboardService serves the clipboard.
type clipboardService struct{ c *core }

// A board is the clipboard of an X11 display or of a Wayland session.
type board interface {
	Read(ctx context.Context, want ...copied.Kind) (copied.Content, []copied.Kind, error)
	Write(context.Context, copied.Content) error
	Clear(context.Context) error
	History() []copied.Entry
}

func (p *clipboardService) board() (board, error) {
	if w := p.c.wl; w != nil {
		return w.board()
	}
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	return s.clipboard, nil
}

// GetClipboard reads the clipboard.
func (p *clipboardService) GetClipboard(ctx context.Context, r *pb.GetClipboardRequest) (*pb.Clipboard, error) {
	b, err := p.board()
	if err != nil {
		return nil, err
	}
	if r.GetName() != "clipboard" {
		return nil, fault.NotFound("there is no clipboard %q; its name is clipboard", r.GetName())
	}
	out := &pb.Clipboard{Name: "clipboard"}
	err = p.c.act(ctx, action{method: "GetClipboard", request: r, target: "the clipboard"}, func(ctx context.Context) (string, error) {
		c, kinds, err := b.Read(ctx)
		out.Content = message.Contents(c)
		for _, k := range kinds {
			out.AvailableTypes = append(out.AvailableTypes, message.Type(k))
		}
		return fmt.Sprintf("it has %v", out.AvailableTypes), err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// WriteClipboard puts content on the clipboard.
func (p *clipboardService) WriteClipboard(ctx context.Context, r *pb.WriteClipboardRequest) (*pb.WriteClipboardResponse, error) {
	b, err := p.board()
	if err != nil {
		return nil, err
	}
	c, err := message.Copied(r.GetContent())
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	err = p.c.act(ctx, action{method: "WriteClipboard", request: r, target: "the clipboard"}, func(ctx context.Context) (string, error) {
		return fmt.Sprintf("it has %v", message.Type(c.Kind)), b.Write(ctx, c)
	})
	return &pb.WriteClipboardResponse{Success: err == nil, Type: message.Type(c.Kind)}, err
}

// ClearClipboard empties the clipboard.
func (p *clipboardService) ClearClipboard(ctx context.Context, r *pb.ClearClipboardRequest) (*pb.ClearClipboardResponse, error) {
	b, err := p.board()
	if err != nil {
		return nil, err
	}
	err = p.c.act(ctx, action{method: "ClearClipboard", request: r, target: "the clipboard"}, func(ctx context.Context) (string, error) {
		return "it is empty", b.Clear(ctx)
	})
	return &pb.ClearClipboardResponse{Success: err == nil}, err
}

// GetClipboardHistory lists the contents that passed through this service, newest first.
func (p *clipboardService) GetClipboardHistory(_ context.Context, r *pb.GetClipboardHistoryRequest) (*pb.ClipboardHistory, error) {
	b, err := p.board()
	if err != nil {
		return nil, err
	}
	if r.GetName() != "clipboard/history" {
		return nil, fault.NotFound("there is no history %q; its name is clipboard/history", r.GetName())
	}
	out := &pb.ClipboardHistory{}
	for _, e := range b.History() {
		out.Entries = append(out.Entries, &pb.ClipboardHistoryEntry{CopiedTime: timestamppb.New(e.At), Content: message.Contents(e.Content), SourceApplication: e.Source})
	}
	return out, nil
}
