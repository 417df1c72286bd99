package backend_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/x11/hidden"
)

// Programs that scale themselves use their own pixels. The backend still returns the positions of
// their elements in screen pixels. A click reaches the element, and its picture shows it.
func TestElementsOfEnlargedPrograms(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(page, []byte(`<title>Page</title><button style="margin:90px" onclick="document.title='Pressed'">Press</button>`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		program, command, role, name string
		done                         func(b *backend.Backend, app string) bool
	}{
		{"galculator", "env GDK_SCALE=2 galculator", "toggle button", "7", func(b *backend.Backend, app string) bool {
			return shows(t, b, app, both(role("text"), text("7")))
		}},
		{"featherpad", "env QT_SCALE_FACTOR=2 featherpad", "menu item", "File", func(b *backend.Backend, app string) bool {
			return shows(t, b, app, text("Print"))
		}},
		{"featherpad", "env QT_SCALE_FACTOR=1.5 featherpad", "menu item", "File", func(b *backend.Backend, app string) bool {
			return shows(t, b, app, text("Print"))
		}},
		{"chromium", "env TMPDIR=" + t.TempDir() + " chromium --no-sandbox --force-device-scale-factor=2 --force-renderer-accessibility --password-store=basic --no-first-run --user-data-dir=" + t.TempDir() + " " + page, "push button", "Press",
			func(b *backend.Backend, app string) bool {
				list, err := b.ListWindows(t.Context(), &pb.ListWindowsRequest{Parent: app})
				return err == nil && strings.HasPrefix(list.GetWindows()[0].GetTitle(), "Pressed")
			}},
	} {
		if strings.Contains(test.command, "QT_SCALE_FACTOR=2") && os.Getenv("GOATED_DESKTOP_LONG") == "" {
			continue // a scale of 1.5 also finds what forgets the scale
		}
		t.Run(test.command, func(t *testing.T) {
			b, app := launched(t, test.program, test.command, backend.Options{Hidden: &hidden.Options{Width: 1600, Height: 1000}})
			ctx := soon(t)
			e := placed(t, b, app.GetName(), both(role(test.role), text(test.name)))
			w := must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: app.GetName()})).GetWindows()[0].GetBounds()
			var frame *pb.Element
			desk.Until(t, "the frame of the window", func() bool { // on a busy machine, the program may not answer yet
				found, err := b.FindElements(ctx, &pb.FindElementsRequest{Parent: app.GetName(), Selector: role("frame")})
				if err == nil && len(found.GetElements()) > 0 && found.GetElements()[0].GetWidth() > 0 {
					frame = found.GetElements()[0]
				}
				return frame != nil
			})
			if math.Abs(frame.GetX()-w.GetX()) > 24 || math.Abs(frame.GetY()-w.GetY()) > 24 || math.Abs(frame.GetWidth()-w.GetWidth()) > 48 || math.Abs(frame.GetHeight()-w.GetHeight()) > 48 {
				t.Errorf("the window is at %v, its frame at %v", w, frame)
			}
			var shot *pb.CaptureElementScreenshotResponse
			desk.Until(t, "a picture of "+test.name, func() bool { // a new program may not have placed it yet
				got, err := b.CaptureElementScreenshot(ctx, &pb.CaptureElementScreenshotRequest{Parent: app.GetName(), ElementId: e.GetElementId()})
				shot = got
				return err == nil
			})
			if math.Abs(float64(shot.GetWidth())-e.GetWidth()) > 1 {
				t.Errorf("a picture of %d × %d pixels of %v", shot.GetWidth(), shot.GetHeight(), e)
			}
			must[*pb.Input](t)(b.CreateInput(ctx, click(e.GetX()+e.GetWidth()/2, e.GetY()+e.GetHeight()/2)))
			desk.Until(t, "effect", func() bool { return test.done(b, app.GetName()) })
		})
	}
}

// placed waits until an application shows an element and returns it. A busy application opens its
// window before it positions its elements.
func placed(t testing.TB, b *backend.Backend, app string, s *pb.ElementSelector) (e *pb.Element) {
	t.Helper()
	desk.Until(t, "an element", func() bool {
		found, err := b.FindElements(t.Context(), &pb.FindElementsRequest{Parent: app, Selector: s, VisibleOnly: true})
		if err == nil && len(found.GetElements()) == 1 && found.GetElements()[0].GetWidth() > 0 { // its place may come too late
			e = found.GetElements()[0]
		}
		return e != nil
	})
	return e
}

// shows reports whether an application shows an element.
func shows(t testing.TB, b *backend.Backend, app string, s *pb.ElementSelector) bool {
	found, err := b.FindElements(t.Context(), &pb.FindElementsRequest{Parent: app, Selector: s, VisibleOnly: true})
	return err == nil && len(found.GetElements()) > 0
}
