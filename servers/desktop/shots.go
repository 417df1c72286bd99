package desktop

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/image/draw"
	"golang.org/x/image/tiff"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "goated/servers/desktop/macosusesdk"
)

// The limits of a picture. Models scale down larger pictures themselves, and then positions in them
// would be wrong.
const (
	defaultSide  = 1568
	maxPixels    = 100_000_000
	maxPicture   = 3 << 20 // bytes; larger pictures are sent as JPEG
	rememberedBy = 32      // number of screenshots whose positions the server remembers
)

// A shot maps the pixels of a picture to positions on the desktop.
type shot struct {
	x, y          float64 // top left corner
	scaleX        float64 // size of a pixel of the picture on the desktop
	scaleY        float64
	width, height int // size of the picture
	known         bool
	app           string // application of the window; empty if any may be there
}

// shots stores the shots of the latest screenshots. It is safe for concurrent use.
type shots struct {
	mu   sync.Mutex
	next int
	all  map[int]shot
}

// add stores a shot and returns its id.
func (s *shots) add(one shot) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = make(map[int]shot)
	}
	s.next++
	s.all[s.next] = one
	delete(s.all, s.next-rememberedBy)
	return "s" + strconv.Itoa(s.next)
}

func (s *shots) get(id string) (shot, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "s"))
	if err != nil {
		return shot{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one, ok := s.all[n]
	return one, ok
}

// locate converts positions in a screenshot into positions on the desktop.
func (c *call) locate() error {
	id := c.text("screenshot")
	if id == "" {
		return nil
	}
	one, ok := c.shots.get(id)
	switch {
	case !ok:
		return invalid(fmt.Sprintf("screenshot %s is not known any more. Take a new one", quote(id)))
	case !one.known:
		return invalid(fmt.Sprintf("the position of screenshot %s on the desktop is not known. Take one of the whole screen", quote(id)))
	}
	for _, prefix := range []string{"", "start_", "end_", "center_", "to_"} {
		x, okX := c.args[prefix+"x"].(float64)
		y, okY := c.args[prefix+"y"].(float64)
		if !okX || !okY {
			continue
		}
		if x < 0 || y < 0 || x >= float64(one.width) || y >= float64(one.height) {
			return invalid(fmt.Sprintf("(%g, %g) is outside of screenshot %s, which has %d×%d pixels", x, y, id, one.width, one.height))
		}
		c.args[prefix+"x"], c.args[prefix+"y"] = one.x+(x+0.5)*one.scaleX, one.y+(y+0.5)*one.scaleY
	}
	delete(c.args, "screenshot")
	if one.app == "" {
		return nil
	}
	for _, p := range c.tool.params { // the service refuses the action if another application is there by now
		if (p.path == "parent" || p.name == "in") && !c.has(p.name) {
			c.args[p.name] = one.app
		}
	}
	return nil
}

// picture makes the answer with a screenshot.
func (c *call) picture(ctx context.Context, req, reply protoreflect.Message) (*answer, error) {
	field := func(name string) protoreflect.Value {
		return reply.Get(reply.Descriptor().Fields().ByName(protoreflect.Name(name)))
	}
	data, width, height, mime, err := shrink(field("image_data").Bytes(), int(c.number("max_side", defaultSide)))
	if err != nil {
		return nil, &failure{codeInternal, "internal", "the picture of the server is damaged: " + err.Error(), "Try again."}
	}
	one := shot{width: width, height: height}
	what := "The picture"
	r, name, ok := c.area(ctx, req.Interface(), reply.Interface())
	if name != "" {
		what += " of " + name
	}
	if ok && r.GetWidth() > 0 && r.GetHeight() > 0 {
		one.x, one.y, one.known = r.GetX(), r.GetY(), true
		one.scaleX, one.scaleY = r.GetWidth()/float64(width), r.GetHeight()/float64(height)
		what += fmt.Sprintf(",%s,", place(map[string]any{"x": r.GetX(), "y": r.GetY(), "width": r.GetWidth(), "height": r.GetHeight()}))
	}
	switch q := req.Interface().(type) {
	case *pb.CaptureWindowScreenshotRequest:
		one.app = appOf(q.GetWindow())
	case *pb.CaptureElementScreenshotRequest:
		one.app = appOf(q.GetParent())
	}
	id := c.shots.add(one)
	out := map[string]any{"screenshot": id, "width": width, "height": height, "mime_type": mime}
	text := fmt.Sprintf("%s has %d×%d pixels and is screenshot %s.", what, width, height, id)
	if one.known {
		out["x"], out["y"], out["scale"] = one.x, one.y, one.scaleX
		text += fmt.Sprintf(" To act at a position in it, pass its x and y, and screenshot=%s.", id)
	}
	if said := field("ocr_text").String(); said != "" {
		out["ocr_text"] = said
	}
	a, _ := fit(out, c.budget()-len(text))
	if said, ok := a.data["ocr_text"].(string); ok {
		text += "\nText in it:\n" + said
	}
	a.text, a.images = text, []mcp.Content{&mcp.ImageContent{MIMEType: mime, Data: data}}
	return a, nil
}

// shrink returns a picture as PNG or JPEG, scaled so that its longer side is at most side.
func shrink(data []byte, side int) (out []byte, width, height int, mime string, err error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	isTIFF := false
	if err != nil {
		if config, err = tiff.DecodeConfig(bytes.NewReader(data)); err != nil {
			return nil, 0, 0, "", err
		}
		isTIFF = true
	}
	width, height, side = config.Width, config.Height, max(side, 64)
	if width <= 0 || height <= 0 || width > maxPixels/height {
		return nil, 0, 0, "", fmt.Errorf("it has %d×%d pixels", width, height)
	}
	if (format == "png" || format == "jpeg") && max(width, height) <= side && len(data) <= maxPicture {
		return data, width, height, "image/" + format, nil
	}
	var img image.Image
	if isTIFF {
		img, err = tiff.Decode(bytes.NewReader(data))
	} else {
		img, _, err = image.Decode(bytes.NewReader(data))
	}
	if err != nil {
		return nil, 0, 0, "", err
	}
	if long := max(width, height); long > side {
		width, height = max(1, width*side/long), max(1, height*side/long)
		small := image.NewRGBA(image.Rect(0, 0, width, height))
		draw.ApproxBiLinear.Scale(small, small.Bounds(), img, img.Bounds(), draw.Src, nil)
		img = small
	}
	var b bytes.Buffer
	if format != "jpeg" {
		if err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err == nil && b.Len() <= maxPicture {
			return b.Bytes(), width, height, "image/png", nil
		}
		b.Reset()
	}
	err = jpeg.Encode(&b, img, &jpeg.Options{Quality: 85})
	return b.Bytes(), width, height, "image/jpeg", err
}

// area returns the part of the desktop that a screenshot shows, and a name for it.
func (d desk) area(ctx context.Context, req, reply any) (r *pb.Region, name string, ok bool) {
	switch q := req.(type) {
	case *pb.CaptureScreenshotRequest:
		one, err := d.display(ctx, q.GetDisplay())
		return one.GetFrame(), "the display", err == nil && one != nil
	case *pb.CaptureWindowScreenshotRequest:
		w := new(pb.Window)
		if d.link.Call(ctx, "GetWindow", &pb.GetWindowRequest{Name: q.GetWindow()}, w) != nil || w.GetBounds() == nil {
			return nil, "", false
		}
		b := w.GetBounds()
		r, ok = d.visible(ctx, &pb.Region{X: b.GetX(), Y: b.GetY(), Width: b.GetWidth(), Height: b.GetHeight()}, reply)
		return r, "window " + quote(w.GetTitle()), ok
	case *pb.CaptureElementScreenshotRequest:
		e := new(pb.Element)
		if d.link.Call(ctx, "GetElement", &pb.GetElementRequest{Name: appOf(q.GetParent()) + "/elements/" + q.GetElementId()}, e) != nil || e.X == nil || e.Y == nil {
			return nil, "", false
		}
		pad := float64(q.GetPadding())
		r, ok = d.visible(ctx, &pb.Region{X: e.GetX() - pad, Y: e.GetY() - pad, Width: e.GetWidth() + 2*pad, Height: e.GetHeight() + 2*pad}, reply)
		return r, e.GetRole() + " " + quote(e.GetText()), ok
	case *pb.CaptureRegionScreenshotRequest:
		if r := reply.(*pb.CaptureRegionScreenshotResponse).GetRegion(); r.GetWidth() > 0 {
			return r, "the region", true
		}
		return q.GetRegion(), "the region", true
	}
	return nil, "", false
}

// display finds a display by its index or id, where 0 is the main display. It returns nil if there
// is none.
func (d desk) display(ctx context.Context, number int32) (*pb.Display, error) {
	reply := new(pb.ListDisplaysResponse)
	if err := d.link.Call(ctx, "ListDisplays", new(pb.ListDisplaysRequest), reply); err != nil {
		return nil, err
	}
	all := reply.GetDisplays()
	for _, one := range all {
		if number == 0 && one.GetIsMain() || number != 0 && one.GetDisplayId() == int64(number) {
			return one, nil
		}
	}
	if int(number) < len(all) && number >= 0 {
		return all[number], nil
	}
	return nil, nil
}
