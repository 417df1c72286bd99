//go:build !linux

package client

import "goated/client/diagnose"

// portOwner finds no process: other systems need an external program for that.
func portOwner(string) diagnose.Process { return diagnose.Process{} }
