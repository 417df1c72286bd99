//go:build darwin || windows

package main

import system "github.com/jeandeaual/go-locale"

// systemLocale is what is set for the person who is logged in. The desktop of
// these systems tells programs nothing of it in their environment.
func systemLocale() string {
	tag, err := system.GetLocale()
	if err != nil {
		return "" // English, then
	}
	return tag
}
