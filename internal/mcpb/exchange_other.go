//go:build !linux

package mcpb

import "errors"

// exchange would swap two folders atomically. goated supports that only on Linux.
func exchange(_, _ string) error { return errors.ErrUnsupported }
