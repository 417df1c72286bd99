package backend_test

import (
	"testing"

	"google.golang.org/grpc/codes"

	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
)

// A key combination that ends the session or opens a field for commands is refused however it is
// spelled: the modifiers in the key, in the list or in both, and each name of a key.
func TestChordsAreRefusedInEachSpelling(t *testing.T) {
	const control, option, command = pb.KeyPress_MODIFIER_CONTROL, pb.KeyPress_MODIFIER_OPTION, pb.KeyPress_MODIFIER_COMMAND
	w, inWayland := openWayland(t, func(_ *waylandDesk, o *backend.Options) { o.Shell = false })
	_, say := w.run(t, "Form")
	say("active")
	for session, b := range map[string]*backend.Backend{"X11": open(t, func(o *backend.Options) { o.Shell = false }), "Wayland": inWayland} {
		for _, test := range []*pb.CreateInputRequest{
			key("F2", option), key("f2", option), key("F_2", option), key(" F2", option), key("opt+F2"), key("alt+f-2"), key("shift+F2", option),
			key("meta+r"), key("super+r"), key("win+R"), key("cmd+r"), key("r", command), key("R", command),
			key("ctrl+alt+t"), key("Control+Option+T"), key("alt+t", control), key("t", control, option),
			key("ctrl+alt+F2"), key("ctrl+F_12", option), key("alt+F1", control), key("F2", control, option),
			key("ctrl+alt+delete"), key("del", control, option), key("forward_delete", control, option), key("ctrl+alt+forwarddelete"),
			key("ctrl+alt+back_space"), key("Back-Space", control, option),
		} {
			_, err := b.CreateInput(soon(t), test)
			refused(t, session+": "+test.GetInput().GetAction().String(), err, codes.PermissionDenied, "refused: ")
		}
		for _, test := range []*pb.CreateInputRequest{
			key("a"), key("R"), key("F2"), key("F5", control), key("ctrl+c"), key("shift+Delete"), key("ctrl++"), key("+"), key("é"), key("page_down", option), key("super"),
		} {
			if _, err := b.CreateInput(soon(t), test); err != nil {
				t.Errorf("%s: %v: %v", session, test.GetInput().GetAction(), err)
			}
		}
		_, err := b.CreateInput(soon(t), key("ctrl+hyperdrive"))
		refused(t, session+": a key that does not exist", err, codes.InvalidArgument, `no key "hyperdrive"`)
	}
}
