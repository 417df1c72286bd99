package guard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"goated/internal/secretname"
	"goated/servers/desktop/element"
)

// The kinds of windows in [element.Window] that matter here. A desktop that shows notifications
// itself also shows panels and the background, which cannot answer a question.
const (
	kindNotification = "notification"
	kindPanel        = "dock"
	kindBackground   = "desktop"
)

// keyboards are the window classes and programs of on-screen keyboards, which type into the focused
// window.
var keyboards = []string{
	"onboard", "onboard-settings", "florence", "matchbox-keyboard", "xvkbd", "caribou", "svkbd", "svkbd-mobile-intl", "svkbd-mobile-plain", "kvkbd", "cellwriter", "gok",
	"eekboard", "corekeyboard", "maliit-keyboard", "maliit-server", "squeekboard", "wvkbd", "wvkbd-mobintl", "qtvirtualkeyboard", "plasma-keyboard", "virtboard", "vboard", "tkboard",
}

// refuseAnswering refuses a window in which a press or a key could answer goated's question to the user or
// type into goated. These are notifications and on-screen keyboards.
func (g *Guard) refuseAnswering(w element.Window) error {
	kind := strings.ToLower(w.Kind)
	switch {
	case isNamed(w, keyboards), isNamed(w, senders):
		return &Refusal{fmt.Sprintf("refused: %q types into any window, goated's too; type with the desktop tools instead", cmp.Or(w.Title, w.Class))}
	case kind == kindNotification, g.asks(w.PID) && kind != kindPanel && kind != kindBackground:
		return &Refusal{"refused: that is a notification or a question of the desktop, which may be goated's question to the user; the user answers there"}
	}
	return nil
}

// isNamed reports whether the class of a window names one of the programs.
func isNamed(w element.Window, programs []string) bool {
	return slices.Contains(programs, programName(w.Class)) || slices.ContainsFunc(strings.Fields(strings.ReplaceAll(w.Class, ".", " ")), func(s string) bool { return slices.Contains(programs, programName(s)) })
}

// prompts are the window classes of programs that ask for a password but describe no elements.
var prompts = []string{"pinentry", "pinentry-gtk", "pinentry-gtk-2", "pinentry-qt", "pinentry-qt5", "pinentry-qt6", "pinentry-x11", "ssh-askpass", "x11-ssh-askpass", "gnome-ssh-askpass",
	"gnome-ssh-askpass2", "gnome-ssh-askpass3", "ksshaskpass", "lxqt-openssh-askpass", "lxqt-sudo", "gksu", "gksudo", "kdesu", "kdesudo", "xlock", "slock", "i3lock", "xsecurelock", "xscreensaver"}

// passwordWords are words, in lower case, from the titles of windows that ask for a password.
var passwordWords = []string{"authenticat", "authoriz", "unlock", "sign in", "log in", "login", "keyring", "sudo", "askpass", "authentifi", "anmeld", "entsperr", "autentic", "autenticaz", "uwierzyteln", "аутентиф", "認証", "认证", "인증"}

// AsksPassword reports whether the name of a window shows that it asks for a password. This matters if
// a program does not describe its fields. Then the journal leaves out what is typed into the
// window, and screenshots leave out the window.
func AsksPassword(w element.Window) bool {
	title := strings.ToLower(w.Title)
	return isNamed(w, prompts) || secretname.In(w.Title) || slices.ContainsFunc(passwordWords, func(word string) bool { return strings.Contains(title, word) })
}
