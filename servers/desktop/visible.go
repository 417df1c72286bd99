package desktop

import (
	"context"
	"math"

	pb "goated/servers/desktop/macosusesdk"
)

// visible returns the part of a region that is visible in its picture: the whole region, or only
// its part on the displays. ok is false if the picture's size matches neither. Then the positions
// of its pixels are unknown.
func (d desk) visible(ctx context.Context, r *pb.Region, reply any) (_ *pb.Region, ok bool) {
	picture, is := reply.(interface {
		GetWidth() int32
		GetHeight() int32
	})
	if !is {
		return nil, false
	}
	width, height := float64(picture.GetWidth()), float64(picture.GetHeight())
	displays := new(pb.ListDisplaysResponse)
	if err := d.link.Call(ctx, "ListDisplays", new(pb.ListDisplaysRequest), displays); err != nil {
		displays = new(pb.ListDisplaysResponse)
	}
	scales := []float64{1, 2}
	cut := new(pb.Region)
	for _, one := range displays.GetDisplays() {
		scales = append(scales, one.GetScale())
		cut = boundingRegion(cut, one.GetFrame())
	}
	for _, part := range []*pb.Region{r, intersection(r, cut)} {
		for _, s := range scales {
			// Positions are rounded to pixels.
			if s > 0 && math.Abs(part.GetWidth()*s-width) <= 2*s && math.Abs(part.GetHeight()*s-height) <= 2*s {
				return part, true
			}
		}
	}
	return nil, false
}

// boundingRegion returns the smallest region that contains both regions.
func boundingRegion(a, b *pb.Region) *pb.Region {
	if a.GetWidth() <= 0 {
		return b
	}
	x, y := min(a.GetX(), b.GetX()), min(a.GetY(), b.GetY())
	return &pb.Region{X: x, Y: y, Width: max(a.GetX()+a.GetWidth(), b.GetX()+b.GetWidth()) - x, Height: max(a.GetY()+a.GetHeight(), b.GetY()+b.GetHeight()) - y}
}

// intersection returns the intersection of two regions. Its size is not positive if they do not overlap.
func intersection(a, b *pb.Region) *pb.Region {
	x, y := max(a.GetX(), b.GetX()), max(a.GetY(), b.GetY())
	return &pb.Region{X: x, Y: y, Width: min(a.GetX()+a.GetWidth(), b.GetX()+b.GetWidth()) - x, Height: min(a.GetY()+a.GetHeight(), b.GetY()+b.GetHeight()) - y}
}

// hasPositions reports whether the session provides the positions of windows and elements. A
// Wayland session does not, and its service lists no displays.
func (d desk) hasPositions(ctx context.Context) bool {
	return !isCode(d.link.Call(ctx, "ListDisplays", new(pb.ListDisplaysRequest), new(pb.ListDisplaysResponse)), "UNIMPLEMENTED")
}

// beyondElements returns advice on how to reach parts of an application that it does not describe
// as elements.
func (d desk) beyondElements(ctx context.Context) string {
	if d.hasPositions(ctx) {
		return "take a screenshot, and press at positions in it."
	}
	return "take a screenshot, and type keys such as tab and return: a Wayland session has no positions."
}
