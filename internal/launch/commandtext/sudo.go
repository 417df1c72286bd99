package commandtext

import (
	"slices"
	"strings"
)

// sudoValues are the options of sudo whose value is the next word (sudo(8)).
var sudoValues = strings.Fields("-C --close-from -D --chdir -g --group -h --host -p --prompt -R --chroot -r --role -T --command-timeout -t --type -U --other-user -u --user")

// AfterSudo returns the command that sudo runs. words begins with sudo.
func AfterSudo(words []string) []string {
	words = words[1:]
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		n := 1
		if slices.Contains(sudoValues, words[0]) {
			n = 2
		}
		words = words[min(n, len(words)):]
	}
	return words
}
