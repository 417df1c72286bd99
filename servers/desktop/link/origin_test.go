package link

import (
	"testing"

	pb "goated/servers/desktop/macosusesdk"
)

// A server serves every method of seed 002, which TestSeed002 lists, and the long-running
// operations that some methods return.
func TestServesTheOriginsProtocol(t *testing.T) {
	s := NewServer(&desk{})
	defer s.Stop()
	served := s.GetServiceInfo()
	if len(served) != 2 || len(served["google.longrunning.Operations"].Methods) < 4 {
		t.Errorf("the services are %v", served)
	}
	have := make(map[string]bool)
	for _, m := range served["macosusesdk.v1.MacosUse"].Methods {
		have[m.Name] = true
	}
	methods := pb.File_macosusesdk_v1_macos_use_proto.Services().ByName("MacosUse").Methods()
	for i := range methods.Len() {
		if m := methods.Get(i); !have[string(m.Name())] {
			t.Errorf("the method %s is not served", m.Name())
		}
	}
}
