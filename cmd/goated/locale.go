package main

import (
	"cmp"
	"os"
)

// locale is the one that the person wants to read, such as pt_BR.UTF-8 or pt-BR;
// empty if it is not known. What the environment says goes before the system's
// settings, as for every program that is started in a terminal.
func locale() string {
	return cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"), systemLocale())
}
