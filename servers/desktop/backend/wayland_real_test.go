package backend_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/proctest"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/backend"
	pb "goated/servers/desktop/macosusesdk"
	"goated/servers/desktop/selector"
)

// TestWaylandOfGNOME works with a real compositor and real portals: mutter without a screen,
// xdg-desktop-portal-gnome, a GTK 3 editor and a GTK 4 calculator. "make soak" runs it if they are
// installed. A second connection to the accessibility bus plays the user, who agrees in the
// desktop's dialog.
func TestWaylandOfGNOME(t *testing.T) {
	buses, start, conn := gnome(t, []string{"mousepad", "gnome-calculator"}, nil, "mutter", "--headless", "--wayland", "--no-x11", "--virtual-monitor", "1024x768", "--wayland-display="+socket)
	vars := map[string]string{"WAYLAND_DISPLAY": socket, "XDG_SESSION_TYPE": "wayland"}
	b, err := backend.New(t.Context(), backend.Options{Session: buses.Session, Getenv: func(k string) string { return vars[k] }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	ctx := t.Context()
	window := func(title string) (found *pb.Window) {
		t.Helper()
		desk.Until(t, "window "+title, func() bool {
			list := must[*pb.ListWindowsResponse](t)(b.ListWindows(ctx, &pb.ListWindowsRequest{Parent: "applications/-"}))
			for _, w := range list.GetWindows() {
				if strings.Contains(w.GetTitle(), title) {
					found = w
				}
			}
			return found != nil
		})
		return found
	}
	start("mousepad")
	editor := window("Mousepad")
	area := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: editor.GetName(), VisibleOnly: true,
		Selector: &pb.ElementSelector{Criteria: &pb.ElementSelector_Role{Role: "text"}}})).GetElements()
	if len(area) == 0 {
		t.Fatal("the editor shows no text")
	}
	const text = "naïve 日本語 🙂"
	written := must[*pb.WriteElementValueResponse](t)(b.WriteElementValue(ctx, &pb.WriteElementValueRequest{Parent: parent(editor.GetName()), Value: text,
		Target: &pb.WriteElementValueRequest_ElementId{ElementId: area[0].GetElementId()}}))
	if written.GetElement().GetText() != text {
		t.Errorf("the editor holds %q", written.GetElement().GetText())
	}
	start("gnome-calculator")
	calculator := window("Calculator")

	user, err := atspi.Connect(ctx, atspi.Options{Session: buses.Session})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = user.Close() })
	agreed := make(chan int, 1)
	go func() { agreed <- agree(t, user) }()
	r := typed("12*12\n", 0)
	r.Parent = parent(calculator.GetName())
	desk.Until(t, "consent", func() bool {
		_, err := b.CreateInput(ctx, r)
		if err != nil && !strings.Contains(err.Error(), "asks the user") {
			t.Fatal(err)
		}
		return err == nil
	})
	asks := <-agreed
	desk.Until(t, "the result", func() bool {
		found := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: parent(calculator.GetName()),
			Selector: &pb.ElementSelector{Criteria: &pb.ElementSelector_TextContains{TextContains: "144"}}}))
		return len(found.GetElements()) > 0
	})
	var version uint32
	if err := conn.Object("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop").Call("org.freedesktop.DBus.Properties.Get", 0,
		"org.freedesktop.portal.Clipboard", "version").Store(&version); err == nil {
		clipboardOfGNOME(t, b, user, parent(calculator.GetName()))
	} else { // versions before 1.18
		t.Logf("the portals have no clipboard: %v", err)
	}
	// Only the user may use the dialog.
	_, err = b.FindElements(ctx, &pb.FindElementsRequest{Parent: application(asks)})
	if err == nil || !strings.Contains(err.Error(), "the user answers") {
		t.Errorf("the dialog of the desktop: %v", err)
	}
}

// socket is the name of the compositor's socket.
const socket = "goated-test"

// gnome starts a compositor and its portals in a separate session. It skips the test if the
// programs are not installed. start starts a program.
func gnome(t *testing.T, programs, env []string, compositor ...string) (buses *privatebus.Bus, start func(string, ...string), conn *dbus.Conn) {
	t.Helper()
	var err error
	if os.Getenv("GOATED_DESKTOP_LONG") == "" {
		t.Skip("make soak runs it")
	}
	portals := []string{"/usr/libexec/xdg-permission-store", "/usr/libexec/xdg-desktop-portal-gnome", "/usr/libexec/xdg-desktop-portal"}
	for _, p := range append(append([]string{compositor[0], "pipewire", "wireplumber"}, programs...), portals...) {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
	env = append(env, "HOME="+t.TempDir(), "WAYLAND_DISPLAY="+socket, "XDG_SESSION_TYPE=wayland", "XDG_CURRENT_DESKTOP=GNOME", "GSETTINGS_BACKEND=memory")
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "DISPLAY=") && !strings.HasPrefix(kv, "HOME=") {
			env = append(env, kv)
		}
	}
	buses, err = privatebus.Start(t.Context(), env)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(buses.Close)
	env = buses.Environ(env)
	start = func(program string, args ...string) {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Env = env
		if err := proctest.Start(t, cmd); err != nil {
			t.Fatal(err)
		}
	}
	conn, err = dbus.Connect(buses.Session)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	start("pipewire")
	start("wireplumber")
	start(compositor[0], compositor[1:]...)
	desk.Until(t, "the compositor", func() bool {
		has := false
		err := conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.gnome.Mutter.RemoteDesktop").Store(&has)
		return err == nil && has
	})
	for _, program := range portals { // the bus starts no service by itself
		start(program)
		// The portals ask their backend for its version only once.
		desk.Until(t, program, func() bool {
			has := strings.HasSuffix(program, "desktop-portal") || strings.HasSuffix(program, "store")
			if !has {
				_ = conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.impl.portal.desktop.gnome").Store(&has)
			}
			return has
		})
	}
	desk.Until(t, "the portals", func() bool {
		has := uint32(0)
		err := conn.Object("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop").Call("org.freedesktop.DBus.Properties.Get", dbus.FlagNoAutoStart,
			"org.freedesktop.portal.RemoteDesktop", "version").Store(&has)
		return err == nil && has > 0
	})
	return buses, start, conn
}

// clipboardOfGNOME pastes into the calculator and copies from it with the calculator's keyboard
// shortcuts.
func clipboardOfGNOME(t *testing.T, b *backend.Backend, user *atspi.Bus, calculator string) {
	ctx := t.Context()
	write := func(text string) {
		t.Helper()
		desk.Until(t, "writing the clipboard", func() bool {
			_, err := b.WriteClipboard(ctx, &pb.WriteClipboardRequest{Content: &pb.ClipboardContent{Content: &pb.ClipboardContent_Text{Text: text}}})
			if err != nil && !strings.Contains(err.Error(), "asks the user") {
				t.Fatal(err)
			}
			return err == nil
		})
	}
	read := func() string {
		t.Helper()
		return must[*pb.Clipboard](t)(b.GetClipboard(ctx, &pb.GetClipboardRequest{Name: "clipboard"})).GetContent().GetText()
	}
	press := func(name string, m ...pb.KeyPress_Modifier) {
		t.Helper()
		r := key(name, m...)
		r.Parent = calculator
		desk.Until(t, "the key "+name, func() bool { // the dialog had the focus a moment ago
			_, err := b.CreateInput(ctx, r)
			return err == nil
		})
	}
	agreed := make(chan int, 1)
	go func() { agreed <- agree(t, user) }()
	const sum = "7*7+1"
	write(sum)
	<-agreed
	if got := read(); got != sum {
		t.Errorf("its own text is %q", got)
	}
	press("Escape")
	press("v", pb.KeyPress_MODIFIER_CONTROL)
	press("Return")
	desk.Until(t, "the result of what was pasted", func() bool {
		found := must[*pb.FindElementsResponse](t)(b.FindElements(ctx, &pb.FindElementsRequest{Parent: calculator,
			Selector: &pb.ElementSelector{Criteria: &pb.ElementSelector_Text{Text: "50"}}}))
		return len(found.GetElements()) > 0
	})
	press("a", pb.KeyPress_MODIFIER_CONTROL)
	press("c", pb.KeyPress_MODIFIER_CONTROL)
	desk.Until(t, "what the calculator copied", func() bool { return read() == "50" })
	write("mine again")
	must[*pb.ClearClipboardResponse](t)(b.ClearClipboard(ctx, &pb.ClearClipboardRequest{}))
	if got := read(); got != "" {
		t.Errorf("after clearing it is %q", got)
	}
}

// agree agrees in the desktop's dialog, as a user does, and returns the dialog's PID.
func agree(t *testing.T, user *atspi.Bus) int {
	toggled := false
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		list, err := user.Applications(t.Context())
		if err != nil {
			return 0
		}
		for _, a := range list {
			if !strings.Contains(a.Name, "desktop-portal-gnome") {
				continue
			}
			tree, err := user.Snapshot(t.Context(), a)
			if err != nil {
				continue
			}
			for _, want := range []string{"text:Allow remote interaction", "text:Allow Remote Interaction", "text_contains:Share"} {
				m, err := selector.ParseText(want)
				if err != nil {
					t.Error(err)
					return 0
				}
				s, err := selector.Parse(m)
				if err != nil {
					t.Error(err)
					return 0
				}
				for _, n := range tree.Find(t.Context(), atspi.Query{Selector: s}) {
					role := tree.Nodes[n].Role.String()
					if (role != "push button" || !toggled) && (role != "check box" || toggled) {
						continue
					}
					target, _ := user.Target(tree.Element(n).ID)
					_, err := user.Act(t.Context(), target, atspi.Expect{}, "press")
					switch {
					case err == nil && role == "check box":
						toggled = true
					case err == nil && toggled:
						return a.PID
					}
				}
			}
		}
	}
	return 0
}
