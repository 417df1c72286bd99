// Package resourcename formats and parses the names of applications, windows and elements in the
// desktop protocol, such as "applications/1234/windows/5678" (AIP-122, seed 002).
//
// The package owns the format of the names. It must not know whether a name refers to something
// that exists.
package resourcename

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"goated/internal/lazyregexp"
)

// AnyApplication stands for all applications, or the desktop as a whole.
const AnyApplication = "-"

// Application returns the name of an application.
func Application(pid int) string { return fmt.Sprintf("applications/%d", pid) }

// Window returns the name of a window.
func Window(pid int, id uint32) string { return fmt.Sprintf("applications/%d/windows/%d", pid, id) }

// Of returns the name that a request contains: of the application, the window or the element that it is
// about. It returns "" if the request has none.
func Of(request any) string {
	switch r := request.(type) {
	case interface{ GetName() string }:
		return r.GetName()
	case interface{ GetParent() string }:
		return r.GetParent()
	case interface{ GetApplication() string }:
		return r.GetApplication()
	}
	return ""
}

// ParseApplication parses "applications/{pid}". Its error, like those of the other functions, has
// the code INVALID_ARGUMENT.
func ParseApplication(name string) (pid int, err error) {
	rest, ok := strings.CutPrefix(name, "applications/")
	pid, err = strconv.Atoi(rest)
	if !ok || err != nil || pid < 0 {
		return 0, invalid(name, "an application", "applications/1234")
	}
	return pid, nil
}

// chosen matches a resource id that a caller may choose (AIP-122).
var chosen = lazyregexp.New(`^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)

// CheckID checks the resource id that a caller chose in a field. If it is empty, the service
// chooses one.
func CheckID(field, id string) error {
	if id == "" || chosen.MatchString(id) {
		return nil
	}
	return status.Errorf(codes.InvalidArgument, "the %s %q is not possible: it has at most 63 lower-case letters, digits and hyphens, begins with a letter, and does not end with a hyphen", field, id)
}

// ParseWindow parses "applications/{pid}/windows/{id}".
func ParseWindow(name string) (pid int, id uint32, err error) {
	application, rest, ok := strings.Cut(name, "/windows/")
	if ok {
		if pid, err = ParseApplication(application); err == nil {
			n, e := strconv.ParseUint(rest, 10, 32)
			if e == nil {
				return pid, uint32(n), nil
			}
		}
	}
	return 0, 0, invalid(name, "a window", "applications/1234/windows/5678")
}

// ParseParent parses the name of an application or a window as the parent of elements. id is 0 for
// an application.
func ParseParent(name string) (pid int, id uint32, err error) {
	if strings.Contains(name, "/windows/") {
		return ParseWindow(name)
	}
	pid, err = ParseApplication(name)
	return pid, 0, err
}

// ParseElement parses "applications/{pid}/elements/{id}".
func ParseElement(name string) (pid int, id string, err error) {
	application, id, ok := strings.Cut(name, "/elements/")
	if ok && id != "" {
		if pid, err = ParseApplication(application); err == nil {
			return pid, id, nil
		}
	}
	return 0, "", invalid(name, "an element", "applications/1234/elements/e5")
}

func invalid(name, what, example string) error {
	return status.Errorf(codes.InvalidArgument, "%q is not %s: its name is like %s", name, what, example)
}
