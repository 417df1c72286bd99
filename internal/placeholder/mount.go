package placeholder

import "goated/internal/lazyregexp"

var (
	// volume matches the value of docker's -v: a path of this computer, and what follows it.
	volume = lazyregexp.New(`^((?:[A-Za-z]:[\\/])?[^:]*)(:.*)$`)
	// source matches the path of this computer in the value of docker's --mount.
	source = lazyregexp.New(`^((?:.*,)?(?:src|source)=)([^,]*)(.*)$`)
)

// Mount splits the value of an option of docker that mounts a folder into a container, at the path of this
// computer. For other values, path is the whole value.
func Mount(option, value string) (before, path, after string) {
	switch option {
	case "-v", "--volume":
		if m := volume.FindStringSubmatch(value); m != nil {
			return "", m[1], m[2]
		}
	case "--mount":
		if m := source.FindStringSubmatch(value); m != nil {
			return m[1], m[2], m[3]
		}
	}
	return "", value, ""
}
