package atspi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/godbus/dbus/v5"
)

const (
	statusName  = "org.a11y.Bus"
	statusPath  = "/org/a11y/bus"
	statusIface = "org.a11y.Status"
)

// address asks the session bus for the address of the accessibility bus. If accessibility is off,
// address turns it on if the user agrees. restore then turns it off again.
func address(ctx context.Context, o Options) (addr string, restore func(context.Context) error, err error) {
	session := o.Session
	if session == "" {
		session = os.Getenv("DBUS_SESSION_BUS_ADDRESS")
	}
	switch transport, _, ok := strings.Cut(session, ":"); {
	case session == "":
		return "", nil, fmt.Errorf("%w (DBUS_SESSION_BUS_ADDRESS is not set)", ErrNoBus)
	case !ok || transport == "disabled": // as containers set it
		return "", nil, fmt.Errorf("%w (DBUS_SESSION_BUS_ADDRESS is %q)", ErrNoBus, session)
	}
	conn, err := dial(ctx, session)
	switch {
	case isNotListening(err):
		return "", nil, fmt.Errorf("%w (connecting to the session bus: %w)", ErrNoBus, err)
	case err != nil:
		return "", nil, fmt.Errorf("connecting to the session bus: %w", err)
	}
	defer conn.Close()
	status := conn.Object(statusName, statusPath)
	on, err := isSet(ctx, status, "IsEnabled")
	switch {
	case isNoService(err):
		return "", nil, fmt.Errorf("%w (asking the session bus for it, which needs the package at-spi2-core: %w)", ErrNoBus, err)
	case err != nil:
		return "", nil, fmt.Errorf("asking the session bus for the accessibility bus: %w", err)
	}
	if !on {
		if restore, err = enable(ctx, status, session, o.Enable); err != nil {
			return "", nil, err
		}
	}
	if err := status.CallWithContext(ctx, statusName+".GetAddress", 0).Store(&addr); err != nil {
		if restore != nil {
			_ = restore(context.WithoutCancel(ctx))
		}
		return "", nil, fmt.Errorf("asking for the address of the accessibility bus: %w", err)
	}
	return addr, restore, nil
}

// isNotListening reports whether an error means that nothing listens at an address. An abstract socket that
// does not exist refuses connections. A bus that is slow or rejects the client does exist.
func isNotListening(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED)
}

// isNoService reports whether the session bus answered that no program provides the accessibility bus, or
// that the user masked its unit. A bus that fails to start, or starts too slowly, does exist.
func isNoService(err error) bool {
	var remote dbus.Error
	return errors.As(err, &remote) && slices.Contains([]string{
		"org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound",
		"org.freedesktop.systemd1.UnitMasked",
	}, remote.Name)
}

// isSet reads a setting of the session: IsEnabled or ScreenReaderEnabled.
func isSet(ctx context.Context, status dbus.BusObject, name string) (bool, error) {
	var v dbus.Variant
	err := status.CallWithContext(ctx, propertiesIface+".Get", 0, statusIface, name).Store(&v)
	on, _ := v.Value().(bool)
	return on, err
}

// enable turns accessibility on if ask returns true. restore leaves it on if the user has started a screen
// reader.
func enable(ctx context.Context, status dbus.BusObject, session string, ask func(context.Context) (bool, error)) (restore func(context.Context) error, err error) {
	if ask == nil {
		return nil, ErrOff
	}
	switch yes, err := ask(ctx); {
	case err != nil:
		return nil, err
	case !yes:
		return nil, ErrOff
	}
	if err := set(ctx, status, true); err != nil {
		return nil, fmt.Errorf("turning accessibility on: %w", err)
	}
	return func(ctx context.Context) error {
		conn, err := dial(ctx, session)
		if err != nil {
			return fmt.Errorf("turning accessibility off again: %w", err)
		}
		defer conn.Close()
		status := conn.Object(statusName, statusPath)
		if reads, err := isSet(ctx, status, "ScreenReaderEnabled"); reads && err == nil {
			return nil
		}
		if err := set(ctx, status, false); err != nil {
			return fmt.Errorf("turning accessibility off again: %w", err)
		}
		return nil
	}, nil
}

func set(ctx context.Context, status dbus.BusObject, on bool) error {
	return status.CallWithContext(ctx, propertiesIface+".Set", 0, statusIface, "IsEnabled", dbus.MakeVariant(on)).Err
}

// othersListen reports whether another program receives the events of applications, such as a screen reader
// or a second desktop server. For it, accessibility must stay on.
func othersListen(ctx context.Context, conn *dbus.Conn) bool {
	var listeners []struct{ Bus, Event string }
	if conn.Object(registryName, registryPath).CallWithContext(ctx, registryIface+".GetRegisteredEvents", 0).Store(&listeners) != nil {
		return false // the bus has ended, and nobody uses it
	}
	own := conn.Names()
	for _, l := range listeners {
		if !slices.Contains(own, l.Bus) {
			return true
		}
	}
	return false
}
