package link

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// TestServesTheOriginsProtocol compares what a server serves with testdata/origin.txt, which was
// written from the description of the seed's protocol. testdata/wire.txt of the same package
// holds more, but could repeat a fault of our files.
func TestServesTheOriginsProtocol(t *testing.T) {
	text, err := os.ReadFile("../macosusesdk/testdata/origin.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(&desk{})
	defer s.Stop()
	served := s.GetServiceInfo()
	if len(served) != 2 || len(served["google.longrunning.Operations"].Methods) < 4 {
		t.Errorf("the services are %v", served)
	}
	methods := make(map[string]bool)
	for _, m := range served["macosusesdk.v1.MacosUse"].Methods {
		methods[m.Name] = true
	}
	service, err := protoregistry.GlobalFiles.FindDescriptorByName("macosusesdk.v1.MacosUse")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case words[0] == "#":
			continue
		case words[0] == "rpc":
			m := service.(protoreflect.ServiceDescriptor).Methods().ByName(protoreflect.Name(words[1]))
			if m == nil || !methods[words[1]] {
				t.Errorf("the method %s is not served", words[1])
				continue
			}
			delete(methods, words[1])
			got := string(m.Output().Name())
			if m.IsStreamingServer() {
				got = "*" + got
			}
			if got != words[3] || string(m.Input().Name()) != words[1]+"Request" || m.IsStreamingClient() {
				t.Errorf("%s: %s -> %s, want %s", words[1], m.Input().Name(), got, words[3])
			}
		default:
			if got := described(words[0]); got != strings.Join(words[1:], " ") {
				t.Errorf("%s is\n\t%s, want\n\t%s", words[0], got, strings.Join(words[1:], " "))
			}
		}
		checked++
	}
	if len(methods) > 0 {
		t.Errorf("the origin lacks the methods %v", methods)
	}
	if checked < 200 {
		t.Errorf("the list has %d lines", checked)
	}
}

// described writes a message or an enumeration as the list does; "" if there is none.
func described(name string) string {
	full := "macosusesdk.v1." + name
	if rest, ok := strings.CutPrefix(name, "type."); ok {
		full = "macosusesdk.type." + rest
	}
	d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(full))
	if err != nil {
		return ""
	}
	var parts []string
	switch d := d.(type) {
	case protoreflect.MessageDescriptor:
		fields := make([]protoreflect.FieldDescriptor, d.Fields().Len())
		for i := range fields {
			fields[i] = d.Fields().Get(i)
		}
		slices.SortFunc(fields, func(a, b protoreflect.FieldDescriptor) int { return int(a.Number() - b.Number()) })
		for _, f := range fields {
			star := ""
			if f.IsList() || f.IsMap() {
				star = "*"
			}
			parts = append(parts, fmt.Sprintf("%s%s %d", f.Name(), star, f.Number()))
		}
	case protoreflect.EnumDescriptor:
		zero := strings.TrimSuffix(string(d.Values().ByNumber(0).Name()), "UNSPECIFIED")
		for i := range d.Values().Len() {
			if v := d.Values().Get(i); v.Number() != 0 {
				parts = append(parts, fmt.Sprintf("%s %d", strings.TrimPrefix(string(v.Name()), zero), v.Number()))
			}
		}
	}
	return strings.Join(parts, " ")
}
