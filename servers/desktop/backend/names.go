package backend

import (
	"fmt"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

// anyApplication stands for the desktop as a whole in names.
const anyApplication = "-"

func applicationName(pid int) string { return fmt.Sprintf("applications/%d", pid) }

func windowName(pid int, id uint32) string { return fmt.Sprintf("applications/%d/windows/%d", pid, id) }

// pidOf reads "applications/{pid}".
func pidOf(name string) (int, error) {
	rest, ok := strings.CutPrefix(name, "applications/")
	pid, err := strconv.Atoi(rest)
	if !ok || err != nil || pid < 0 {
		return 0, invalid("%q is not an application: its name is like applications/1234", name)
	}
	return pid, nil
}

// windowOf reads "applications/{pid}/windows/{id}".
func windowOf(name string) (pid int, id uint32, err error) {
	application, rest, ok := strings.Cut(name, "/windows/")
	if ok {
		if pid, err = pidOf(application); err == nil {
			n, e := strconv.ParseUint(rest, 10, 32)
			if e == nil {
				return pid, uint32(n), nil
			}
		}
	}
	return 0, 0, invalid("%q is not a window: its name is like applications/1234/windows/5678", name)
}

// parentOf reads an application, or a window whose elements are meant. id is 0 without one.
func parentOf(name string) (pid int, id uint32, err error) {
	if strings.Contains(name, "/windows/") {
		return windowOf(name)
	}
	pid, err = pidOf(name)
	return pid, 0, err
}

// masked returns the fields of a message that a read mask names; all without one.
func masked[M proto.Message](m M, mask *fieldmaskpb.FieldMask) (M, error) {
	if len(mask.GetPaths()) == 0 || len(mask.GetPaths()) == 1 && mask.GetPaths()[0] == "*" {
		return m, nil
	}
	if !mask.IsValid(m) {
		return m, invalid("the read mask %v names fields that %s does not have", mask.GetPaths(), m.ProtoReflect().Descriptor().Name())
	}
	keep := make(map[protoreflect.Name]bool)
	for _, p := range mask.GetPaths() {
		first, _, _ := strings.Cut(p, ".")
		keep[protoreflect.Name(first)] = true
	}
	r := m.ProtoReflect()
	r.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		if !keep[f.Name()] {
			r.Clear(f)
		}
		return true
	})
	return m, nil
}

// elementOf reads "applications/{pid}/elements/{id}".
func elementOf(name string) (pid int, id string, err error) {
	application, id, ok := strings.Cut(name, "/elements/")
	if ok && id != "" {
		if pid, err = pidOf(application); err == nil {
			return pid, id, nil
		}
	}
	return 0, "", invalid("%q is not an element: its name is like applications/1234/elements/e5", name)
}
