package backend_test

import (
	"testing"

	"google.golang.org/grpc/codes"

	"goated/internal/bustest"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
)

// A model cannot press the button of a notification, which may be goated's own question. This holds
// for the windows of the process that shows notifications, and for any window of the notification
// type.
func TestNotificationsArePressedByTheUserOnly(t *testing.T) {
	address := bustest.Start(t)
	b := open(t, func(o *backend.Options) { o.Session = address })
	d := desk.Open(t, nil)
	w := terminal(t, b, d, "a question")
	frame := w.GetBounds()
	at := click(frame.GetX()+frame.GetWidth()/2, frame.GetY()+frame.GetHeight()/2)
	must[*pb.Input](t)(b.CreateInput(soon(t), at))
	id := desk.Output(t, "xdotool", "search", "--name", "a question")
	desk.Output(t, "xprop", "-id", id, "-f", "_NET_WM_WINDOW_TYPE", "32a", "-set", "_NET_WM_WINDOW_TYPE", "_NET_WM_WINDOW_TYPE_NOTIFICATION")
	_, err := b.CreateInput(soon(t), at)
	refused(t, "a press on a notification", err, codes.PermissionDenied, "notification", "user answers")
	_, err = b.CreateInput(soon(t), key("Return"))
	refused(t, "Enter in a notification", err, codes.PermissionDenied, "user answers")
}
