package backend

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/servers/desktop/fault"
	"goated/servers/desktop/inputaction"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/message"
	"goated/servers/desktop/paging"
	"goated/servers/desktop/remark"
	"goated/servers/desktop/resourcename"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/screenshot"
)

// A screenshotService takes screenshots and describes the displays.
type screenshotService struct {
	c        *core
	elements *elementService
}

// A picture is an encoded screenshot.
type picture struct {
	data          []byte
	format        pb.ImageFormat
	width, height int32
	text          string
}

// encode encodes a picture, and reads its text if ocr is set. If it cannot read the text, it adds a remark
// with the reason instead of failing, because the screen may look different in the next picture.
func encode(ctx context.Context, p *screenshot.Picture, format pb.ImageFormat, quality int32, ocr bool) (out picture, err error) {
	out = picture{format: format, width: int32(p.Rect.W), height: int32(p.Rect.H)}
	if quality < 0 || quality > 100 {
		return out, fault.Invalid("a quality of %d: it is between 1 and 100, or 0 for the default", quality)
	}
	switch format {
	case pb.ImageFormat_IMAGE_FORMAT_UNSPECIFIED, pb.ImageFormat_IMAGE_FORMAT_PNG:
		out.format = pb.ImageFormat_IMAGE_FORMAT_PNG
		out.data, err = p.PNG()
	case pb.ImageFormat_IMAGE_FORMAT_JPEG:
		out.data, err = p.JPEG(int(quality))
	case pb.ImageFormat_IMAGE_FORMAT_TIFF:
		out.data, err = p.TIFF()
	default:
		return out, fault.Invalid("there is no image format %d", format)
	}
	if err != nil {
		return out, status.Errorf(codes.Internal, "encoding the screenshot: %v", err)
	}
	if ocr {
		if out.text, err = p.Text(ctx); err != nil && ctx.Err() == nil {
			remark.Add(ctx, "The text in the picture is not read: "+err.Error())
			err = nil
		}
	}
	return out, fault.Status(err)
}

// CaptureScreenshot takes a picture of a display. A display is its identifier, or its number from 0. On
// Wayland the user chooses the picture in a dialog of the desktop.
func (p *screenshotService) CaptureScreenshot(ctx context.Context, r *pb.CaptureScreenshotRequest) (*pb.CaptureScreenshotResponse, error) {
	shot, err := p.whole(ctx, r.GetDisplay())
	if err != nil {
		return nil, err
	}
	e, err := encode(ctx, shot, r.GetFormat(), r.GetQuality(), r.GetIncludeOcrText())
	if err != nil {
		return nil, err
	}
	return &pb.CaptureScreenshotResponse{ImageData: e.data, Format: e.format, Width: e.width, Height: e.height, OcrText: e.text}, nil
}

// whole returns a picture of a display. On Wayland it returns the picture that the user chooses.
func (p *screenshotService) whole(ctx context.Context, display int32) (*screenshot.Picture, error) {
	if p.c.wl != nil {
		return p.c.wl.picture(ctx)
	}
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	area, err := s.area(display)
	if err != nil {
		return nil, err
	}
	shot, err := s.camera.Region(ctx, area)
	return shot, fault.Status(err)
}

// area returns the frame of a display. display is its identifier, or its number from 0.
func (s *screen) area(display int32) (x11.Rect, error) {
	all, err := s.desktop.Displays()
	if err != nil {
		return x11.Rect{}, fault.Status(err)
	}
	for _, d := range all {
		if d.ID == int64(display) {
			return d.Frame, nil
		}
	}
	if display >= 0 && int(display) < len(all) {
		return all[display].Frame, nil
	}
	return x11.Rect{}, fault.NotFound("there is no display %d; list the displays", display)
}

// CaptureWindowScreenshot takes a picture of a window, even if other windows cover it.
func (p *screenshotService) CaptureWindowScreenshot(ctx context.Context, r *pb.CaptureWindowScreenshotRequest) (*pb.CaptureWindowScreenshotResponse, error) {
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	w, err := s.window(r.GetWindow())
	if err != nil {
		return nil, err
	}
	shot, err := s.camera.Window(ctx, w.ID)
	if err != nil {
		return nil, fault.Status(err)
	}
	e, err := encode(ctx, shot, r.GetFormat(), r.GetQuality(), r.GetIncludeOcrText())
	if err != nil {
		return nil, err
	}
	remark.Unused(ctx, r, "a window of X11 has no shadow", "include_shadow")
	return &pb.CaptureWindowScreenshotResponse{ImageData: e.data, Format: e.format, Width: e.width, Height: e.height, Window: r.GetWindow(), OcrText: e.text}, nil
}

// maxPadding is the maximum margin around an element in pixels.
const maxPadding = 1000

// CaptureElementScreenshot takes a picture of an element with a margin.
func (p *screenshotService) CaptureElementScreenshot(ctx context.Context, r *pb.CaptureElementScreenshotRequest) (*pb.CaptureElementScreenshotResponse, error) {
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	if r.GetPadding() < 0 || r.GetPadding() > maxPadding {
		return nil, fault.Invalid("a padding of %d: it is between 0 and %d", r.GetPadding(), maxPadding)
	}
	pid, _, err := resourcename.ParseParent(r.GetParent())
	if err != nil {
		return nil, err
	}
	e, err := p.elements.element(ctx, pid, r.GetElementId())
	if err != nil {
		return nil, err
	}
	if !e.Placed || e.Bounds.Empty() {
		return nil, status.Errorf(codes.FailedPrecondition, "the element %s has no place on the screen; take a screenshot of its window", r.GetElementId())
	}
	area, n := pixels(e.Bounds), int(r.GetPadding())
	shot, err := s.camera.Region(ctx, x11.Rect{X: area.X - n, Y: area.Y - n, W: area.W + 2*n, H: area.H + 2*n})
	if err != nil {
		return nil, fault.Status(err)
	}
	out, err := encode(ctx, shot, r.GetFormat(), r.GetQuality(), r.GetIncludeOcrText())
	if err != nil {
		return nil, err
	}
	return &pb.CaptureElementScreenshotResponse{ImageData: out.data, Format: out.format, Width: out.width, Height: out.height,
		ElementId: r.GetElementId(), OcrText: out.text}, nil
}

// CaptureRegionScreenshot takes a picture of a region of the screen.
func (p *screenshotService) CaptureRegionScreenshot(ctx context.Context, r *pb.CaptureRegionScreenshotRequest) (*pb.CaptureRegionScreenshotResponse, error) {
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	g := r.GetRegion()
	v, err := inputaction.Pixels(g.GetX(), g.GetY(), g.GetWidth(), g.GetHeight())
	if err != nil {
		return nil, err
	}
	if v[2] < 1 || v[3] < 1 {
		return nil, fault.Invalid("a region of %d × %d pixels: both are at least 1", v[2], v[3])
	}
	area := x11.Rect{X: v[0], Y: v[1], W: v[2], H: v[3]}
	if r.GetDisplay() != 0 { // 0: any display
		frame, err := s.area(r.GetDisplay())
		if err != nil {
			return nil, err
		}
		if area.Intersect(frame).Empty() {
			return nil, fault.Invalid("the region is not on display %d, which begins at %d, %d: x and y count from the corner of the desktop", r.GetDisplay(), frame.X, frame.Y)
		}
	}
	shot, err := s.camera.Region(ctx, area)
	if err != nil {
		return nil, fault.Status(err)
	}
	e, err := encode(ctx, shot, r.GetFormat(), r.GetQuality(), r.GetIncludeOcrText())
	if err != nil {
		return nil, err
	}
	return &pb.CaptureRegionScreenshotResponse{ImageData: e.data, Format: e.format, Width: e.width, Height: e.height, Region: message.Region(shot.Rect), OcrText: e.text}, nil
}

// ListDisplays lists the displays, main display first.
func (p *screenshotService) ListDisplays(_ context.Context, r *pb.ListDisplaysRequest) (*pb.ListDisplaysResponse, error) {
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	all, err := s.desktop.Displays()
	if err != nil {
		return nil, fault.Status(err)
	}
	page, next, err := paging.Page(p.c.tokens, all, r.GetPageSize(), r.GetPageToken(), paging.Scope("displays"))
	if err != nil {
		return nil, fault.Invalid("%v", err)
	}
	out := &pb.ListDisplaysResponse{NextPageToken: next}
	for _, d := range page {
		out.Displays = append(out.Displays, message.Display(d))
	}
	return out, nil
}

// GetDisplay returns a display. displays/main is the main display.
func (p *screenshotService) GetDisplay(_ context.Context, r *pb.GetDisplayRequest) (*pb.Display, error) {
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	all, err := s.desktop.Displays()
	if err != nil {
		return nil, fault.Status(err)
	}
	for _, d := range all {
		if m := message.Display(d); m.GetName() == r.GetName() || d.Main && r.GetName() == "displays/main" {
			return m, nil
		}
	}
	return nil, fault.NotFound("there is no display %q; list the displays", r.GetName())
}

// CaptureCursorPosition returns the position of the pointer.
func (p *screenshotService) CaptureCursorPosition(context.Context, *pb.CaptureCursorPositionRequest) (*pb.CaptureCursorPositionResponse, error) {
	s, err := p.c.screen()
	if err != nil {
		return nil, err
	}
	x, y, err := s.desktop.Cursor()
	if err != nil {
		return nil, fault.Status(err)
	}
	d, err := s.desktop.DisplayAt(x, y)
	if err != nil {
		return nil, fault.Status(err)
	}
	return &pb.CaptureCursorPositionResponse{X: float64(x), Y: float64(y), Display: message.Display(d).GetName()}, nil
}
