package servers

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"goated/internal/sandbox/busfilter"
	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/portal"
)

// desktopBuses returns the buses to which the desktop server connects: the session bus, the
// accessibility bus, whose address the session bus returns later, the sockets with which single
// applications offer the same interfaces, and the buses of a hidden desktop. A socket in both lists
// counts as a session bus.
func desktopBuses(getenv func(string) string) []busfilter.Bus {
	ownSession, ownTrees := privatebus.Sockets()
	session := append(busSockets(getenv("DBUS_SESSION_BUS_ADDRESS")), ownSession)
	trees := append(busSockets(getenv("AT_SPI_BUS_ADDRESS")), ownTrees...)
	// The launcher of the accessibility bus creates its socket in one of these folders, and so do
	// programs with ATK. Older ones use the folder for temporary files, where dbus-daemon chooses
	// the name.
	for _, dir := range []string{getenv("XDG_RUNTIME_DIR"), xdg.CacheHome} {
		if filepath.IsAbs(dir) {
			trees = append(trees, privatebus.Trees(dir)...)
		}
	}
	for _, dir := range []string{"/tmp", os.TempDir()} {
		trees = append(trees, filepath.Join(dir, "at-spi2-*", "socket*"), filepath.Join(dir, "dbus-*"), "@"+filepath.Join(dir, "dbus-*"))
	}
	return []busfilter.Bus{{Sockets: session, Rules: sessionRules()}, {Sockets: trees, Rules: treeRules()}}
}

const (
	properties = "org.freedesktop.DBus.Properties"
	portals    = "org.freedesktop.portal."
	trees      = "org.a11y.atspi."
)

// sessionRules allows the calls of the packages atspi, portal and notices on the session bus. It
// does not allow the pointer of RemoteDesktop and its ConnectToEIS, because goated does not check
// those calls.
func sessionRules() busfilter.Rules {
	return busfilter.Rules{
		Talk: []busfilter.Talk{
			{Name: "org.a11y.Bus", Calls: []busfilter.Call{
				{Interface: "org.a11y.Bus", Members: []string{"GetAddress"}},
				{Interface: properties, Members: []string{"Get", "Set"}, First: []string{"org.a11y.Status"}},
			}},
			{Name: portals + "Desktop", Calls: []busfilter.Call{
				{Interface: portals + "Screenshot", Members: []string{"Screenshot"}},
				{Interface: portals + "RemoteDesktop", Members: []string{"CreateSession", "SelectDevices", "Start", "NotifyKeyboardKeysym"}},
				{Interface: portals + "Clipboard", Members: []string{"RequestClipboard", "SetSelection", "SelectionWriteDone"}},
				{Interface: portals + "Clipboard", Members: []string{"SelectionRead", "SelectionWrite"}, Files: true},
				{Interface: portals + "GlobalShortcuts", Members: []string{"CreateSession", "BindShortcuts"}},
				{Interface: "org.freedesktop.host.portal.Registry", Members: []string{"Register"}},
				{Interface: portals + "Request", Members: []string{"Close"}},
				{Interface: portals + "Session", Members: []string{"Close"}},
				{Interface: properties, Members: []string{"Get"}, First: []string{portals + "RemoteDesktop"}},
			}, Signals: []string{portals + "Request", portals + "Session", portals + "Clipboard", portals + "GlobalShortcuts"}},
		},
		See: portal.Askers(),
	}
}

// treeRules allows the calls of package atspi on the accessibility bus. They can reach every
// application, because that bus exists for their elements. It does not allow DeviceEventController,
// which presses keys and listens to them.
func treeRules() busfilter.Rules {
	var calls []busfilter.Call
	var faces []string
	for _, face := range []string{"Accessible", "Action", "Application", "Cache", "Collection", "Component", "EditableText", "Selection", "Text", "Value"} {
		calls = append(calls, busfilter.Call{Interface: trees + face})
		faces = append(faces, trees+face)
	}
	calls = append(calls,
		busfilter.Call{Interface: trees + "Registry", Members: []string{"RegisterEvent", "DeregisterEvent", "GetRegisteredEvents"}},
		busfilter.Call{Interface: properties, Members: []string{"Get", "Set"}, First: faces})
	return busfilter.Rules{Peers: true, Talk: []busfilter.Talk{{Name: trees + "Registry", Calls: calls, Signals: []string{trees + "Event.*"}}}}
}
