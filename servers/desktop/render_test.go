package desktop

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// One of the "classes" of a program's scripts was a "classe".
func TestPluralNamesOneOfEachList(t *testing.T) {
	names := []string{"processes", "addresses"} // and those of all messages
	var collect func(protoreflect.MessageDescriptors)
	collect = func(all protoreflect.MessageDescriptors) {
		for i := range all.Len() {
			fields := all.Get(i).Fields()
			for j := range fields.Len() {
				if f := fields.Get(j); f.IsList() {
					names = append(names, string(f.Name()))
				}
			}
			collect(all.Get(i).Messages())
		}
	}
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		if strings.HasPrefix(string(f.Package()), "macosusesdk") {
			collect(f.Messages())
		}
		return true
	})
	slices.Sort(names)
	names = slices.Compact(names)
	one := make([]string, len(names))
	for i, name := range names {
		one[i] = plural(name, 1)
		if plural(name, 2) != name {
			t.Errorf("two %s are %s", name, plural(name, 2))
		}
	}
	want := "action added address application arg attribute available_type change class command condition dictionary display element else_action entry error file_filter file_path history input log macro modified modifier observation parameter path path process removed role selected_path selector session tag then_action warning window"
	if got := strings.Join(one, " "); got != want {
		t.Errorf("%s", got)
	}
}
