package desktop

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"goated/servers/desktop/convert"
	pb "goated/servers/desktop/macosusesdk"
)

// The singular of "classes" was "classe".
func TestPluralNamesOneOfEachList(t *testing.T) {
	names := []string{"processes", "addresses"} // and the lists in all messages
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

// A tree fits into few bytes and still has its first elements. The counts of its roles used up the
// space for all but one element, and the answer claimed that the tree has one.
func TestATreeInFewBytesHasElements(t *testing.T) {
	tree := &pb.TraverseAccessibilityResponse{App: "Calculator", Stats: &pb.TraversalStats{Count: 60, RoleCounts: make(map[string]int32)}}
	for i := range int32(60) {
		tree.Elements = append(tree.Elements, &pb.Element{Role: "push button", ElementId: fmt.Sprintf("e%d", i)})
		tree.Stats.RoleCounts[fmt.Sprintf("role %d", i%20)]++
	}
	a, kept := fit(convert.Object(tree.ProtoReflect()), 1000)
	if len(a.text)+len(compactJSON(a.data)) > 1000 || kept < 5 || !strings.Contains(a.text, "of 60 elements") || !strings.Contains(a.text, "Left out: role_counts.") {
		t.Errorf("%d elements in %s", kept, a.text)
	}
	tree.App = strings.Repeat("x", 99) // a field that is not cut
	if a, _ = fit(convert.Object(tree.ProtoReflect()), 250); !strings.Contains(a.text, "It has 60 elements.") {
		t.Errorf("the answer that is too large: %s", a.text)
	}
}
