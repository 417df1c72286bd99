package ghost

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// executable lists the extensions of files that some desktop runs, installs, mounts or follows
// after a double-click. A model must not be able to write such files.
const executable = `
	action app appimage applescript application appref-ms appx appxbundle
	appinstaller bash bat bin chm cmd com command cpl csh desktop deb diagcab
	directory dll dmg exe fileloc fish gadget hlp hta img inetloc inf iqy iso
	jar jnlp js jse ksh library-ms lnk lua mobileconfig mpkg msc msh msi msix
	msixbundle msp mst osx pif pkg pl prf prg ps1 ps1xml ps2 psc1 psd1 psm1 py
	pyc pyw pyz pyzw rb reg rpm run scf scpt scptd scr sct search-ms
	searchconnector-ms service settingcontent-ms sh shb shs slk sys
	terminal theme themepack tool url vb vbe vbs vhd vhdx webloc website
	workflow wpl ws wsc wsf wsh xbap xll zsh`

// checkFilename accepts names that are a single path component on every operating system. The rules
// are the same everywhere, so that notes can be copied to any system.
func checkFilename(name string) error {
	switch {
	case name == "":
		return errors.New("filename is empty")
	case len(name) > 255:
		return fmt.Errorf("filename is %d bytes long, the limit is 255", len(name))
	case !utf8.ValidString(name):
		return errors.New("filename is not valid UTF-8")
	case strings.ContainsAny(name, `/\`):
		return errors.New("filename must be a plain name without any folder")
	case strings.ContainsAny(name, `:<>"|?*`):
		return errors.New(`filename must not contain any of : < > " | ? *`)
	case strings.ContainsFunc(name, invisible):
		return errors.New("filename must not contain control or invisible characters")
	}
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	for _, r := range []rune{first, last} {
		// A leading dot hides a file, and Windows drops a trailing one. This includes
		// "." and "..".
		if r == '.' || unicode.IsSpace(r) {
			return errors.New("filename must not begin or end with a dot or a space")
		}
	}
	if reserved(name) {
		return fmt.Errorf("filename %s is reserved by Windows", name)
	}
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		ext := strings.ToLower(name[dot+1:])
		if slices.Contains(strings.Fields(executable), ext) {
			return fmt.Errorf("files of type .%s can be run or followed by the desktop and are refused; use .txt or .md for a note", ext)
		}
	}
	return nil
}

// invisible reports whether r can make a name look like another one: control characters, line
// separators, bidirectional overrides, zero-width characters, fillers, and code points without a
// glyph.
func invisible(r rune) bool {
	return !unicode.IsGraphic(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// reserved reports whether name is a Windows device, with any extension and in any case: "nul.txt"
// is NUL.
func reserved(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	base = strings.ToUpper(strings.TrimRightFunc(base, unicode.IsSpace))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if n, ok := strings.CutPrefix(base, port); ok && utf8.RuneCountInString(n) == 1 && strings.Contains("0123456789¹²³", n) {
			return true
		}
	}
	return false
}
