package portal

import (
	"errors"
	"os"

	"github.com/godbus/dbus/v5"
)

// pipe fails, because D-Bus cannot pass file descriptors on Windows.
func pipe(dbus.UnixFD) (*os.File, error) { return nil, errors.ErrUnsupported }
