package notices_test

import (
	"os"
	"testing"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/internal/waittest"
	"goated/servers/desktop/notices"
)

// Shows recognizes the process that shows notifications from its start until its end.
func TestWhoShowsNotifications(t *testing.T) {
	address := bustest.Start(t)
	w, err := notices.Follow(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if w.Shows(os.Getpid()) {
		t.Error("a process shows notifications, but none does")
	}
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "it begins", func() bool { return w.Shows(os.Getpid()) })
	late, err := notices.Follow(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	if !late.Shows(os.Getpid()) || late.Shows(1) || late.Shows(0) {
		t.Error("who came later does not know who shows notifications")
	}
	_ = conn.Close()
	waittest.Until(t, "it ends", func() bool { return !w.Shows(os.Getpid()) })
	var none *notices.Watch
	if none.Close(); none.Shows(os.Getpid()) {
		t.Error("nil knows one")
	}
}
