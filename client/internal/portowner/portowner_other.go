//go:build !linux

package portowner

import "goated/client/diagnose"

// Of finds no process, because other systems need an external program for that.
func Of(string) diagnose.Process { return diagnose.Process{} }
