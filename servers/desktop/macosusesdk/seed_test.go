package macosusesdk_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"cloud.google.com/go/longrunning/autogen/longrunningpb"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"goated/servers/desktop/macosusesdk"
)

// unlisted are the messages that the document of seed 002 leaves out.
var unlisted = []string{"SelectFileResponse", "DragFilesResponse", "ValueList"}

var seedField = regexp.MustCompile(`^(\w+) (\d+)([!*?|]*)(?: (\w+))?$`)

// TestSeed002 compares the protocol with the list of its document, and the other way around:
// every message, field number, label, required field, value and method.
func TestSeed002(t *testing.T) {
	list, err := os.ReadFile("testdata/seed002.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for line := range strings.Lines(string(list)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		head, items, _ := strings.Cut(rest, ":")
		switch kind {
		case "message":
			seen[seedName(head)] = true
			if bad := seedMessage(seedName(head), items); bad != "" {
				t.Errorf("%s: %s", head, bad)
			}
		case "enum":
			name, prefix, _ := strings.Cut(head, " ")
			seen[seedName(name)] = true
			if bad := seedEnum(seedName(name), prefix, items); bad != "" {
				t.Errorf("%s: %s", name, bad)
			}
		case "rpc":
			seen["rpc "+head] = true
			if bad := seedMethod(head, strings.TrimSpace(items)); bad != "" {
				t.Errorf("%s: %s", head, bad)
			}
		}
	}
	for _, name := range unlisted {
		seen[seedName(name)] = true
	}
	for _, l := range wire(macosusesdk.File_macosusesdk_v1_macos_use_proto) {
		name, _, _ := strings.Cut(l, " ")
		switch {
		case strings.HasPrefix(name, "/"):
			name = "rpc " + name[strings.LastIndex(name, "/")+1:]
		case strings.Contains(l, " = "):
			d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
			if _, enum := d.(protoreflect.EnumDescriptor); err != nil || !enum {
				continue // a field, whose message is listed
			}
		case strings.HasSuffix(name, "Entry"):
			d, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
			if err != nil || d.Descriptor().IsMapEntry() {
				continue // of a map
			}
		}
		if !seen[name] {
			t.Errorf("%s is not in the document", name)
			seen[name] = true
		}
	}
	if len(seen) < 250 {
		t.Errorf("compared %d messages, enums and methods: this is not the whole document", len(seen))
	}
}

func seedName(short string) string {
	if strings.HasPrefix(short, "type.") {
		return "macosusesdk." + short
	}
	return "macosusesdk.v1." + short
}

// seedMessage says what differs between a message and its fields in the document.
func seedMessage(name, fields string) string {
	d, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(name))
	if err != nil {
		return err.Error()
	}
	md := d.Descriptor()
	n := 0
	for item := range strings.SplitSeq(fields, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		n++
		m := seedField.FindStringSubmatch(item)
		if m == nil {
			return "cannot read " + item
		}
		f := md.Fields().ByName(protoreflect.Name(m[1]))
		if f == nil || fmt.Sprint(f.Number()) != m[2] {
			return fmt.Sprintf("the field %s is not number %s", m[1], m[2])
		}
		required := false
		for _, b := range proto.GetExtension(f.Options(), annotations.E_FieldBehavior).([]annotations.FieldBehavior) {
			required = required || b == annotations.FieldBehavior_REQUIRED
		}
		one := f.ContainingOneof() != nil && !f.ContainingOneof().IsSynthetic()
		is := map[string]bool{"!": required, "*": f.Cardinality() == protoreflect.Repeated, "?": f.HasOptionalKeyword(), "|": one}
		for mark, has := range is {
			if has != strings.Contains(m[3], mark) {
				return fmt.Sprintf("%s has %q: %t", m[1], mark, has)
			}
		}
		if kind := seedKind(f); m[4] != "" && m[4] != kind {
			return fmt.Sprintf("%s is of type %s, want %s", m[1], kind, m[4])
		}
	}
	if n != md.Fields().Len() {
		return fmt.Sprintf("%d fields, want %d", md.Fields().Len(), n)
	}
	return ""
}

func seedKind(f protoreflect.FieldDescriptor) string {
	switch {
	case f.IsMap():
		return "map"
	case f.Message() != nil:
		return string(f.Message().Name())
	case f.Enum() != nil:
		return string(f.Enum().Name())
	}
	return f.Kind().String()
}

// seedEnum says what differs between an enum and its values in the document.
func seedEnum(name, prefix, values string) string {
	e, err := protoregistry.GlobalTypes.FindEnumByName(protoreflect.FullName(name))
	if err != nil {
		return err.Error()
	}
	want := "UNSPECIFIED 0," + values
	n := 0
	for item := range strings.SplitSeq(want, ",") {
		value, number, _ := strings.Cut(strings.TrimSpace(item), " ")
		v := e.Descriptor().Values().ByName(protoreflect.Name(prefix + "_" + value))
		if v == nil || fmt.Sprint(v.Number()) != number {
			return fmt.Sprintf("%s_%s is not %s", prefix, value, number)
		}
		n++
	}
	if n != e.Descriptor().Values().Len() {
		return fmt.Sprintf("%d values, want %d", e.Descriptor().Values().Len(), n)
	}
	return ""
}

// seedMethod says what differs between a method and its types in the document.
func seedMethod(name, types string) string {
	m := macosusesdk.File_macosusesdk_v1_macos_use_proto.Services().ByName("MacosUse").Methods().ByName(protoreflect.Name(name))
	if m == nil {
		return "the method is missing"
	}
	in, out, _ := strings.Cut(types, " -> ")
	reply := strings.TrimPrefix(string(m.Output().FullName()), "macosusesdk.")
	reply = strings.TrimPrefix(strings.TrimPrefix(reply, "v1."), "google.protobuf.")
	if m.IsStreamingServer() {
		reply = "stream " + reply
	}
	if info, ok := proto.GetExtension(m.Options(), longrunningpb.E_OperationInfo).(*longrunningpb.OperationInfo); ok && info.GetResponseType() != "" {
		reply = "lro " + info.GetResponseType() + " " + info.GetMetadataType()
	}
	if string(m.Input().Name()) != in || reply != out || m.IsStreamingClient() {
		return fmt.Sprintf("%s -> %s, want %s", m.Input().Name(), reply, types)
	}
	if rule, ok := proto.GetExtension(m.Options(), annotations.E_Http).(*annotations.HttpRule); !ok || rule.GetPattern() == nil {
		return "it has no path over HTTP"
	}
	return ""
}
