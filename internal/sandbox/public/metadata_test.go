package public

import "testing"

// These are all forms in which a program, or the sandbox that refuses it, writes a metadata service.
func TestMetadataServices(t *testing.T) {
	for host, want := range map[string]bool{
		"169.254.169.254": true, "169.254.169.254:80": true, "::ffff:169.254.169.254": true, "[::ffff:169.254.169.254]:80": true,
		"fd00:ec2::254": true, "[fd00:ec2::254]": true, "[fd00:ec2::254]:80": true, "169.254.170.2": true, "100.100.100.200": true,
		"metadata.google.internal": true, "Metadata.Google.Internal.": true, "metadata.google.internal:80": true, "metadata": true,
		"": false, "169.254.169.25": false, "127.0.0.1": false, "google.internal": false, "x.metadata.google.internal": false, "metadata.example": false, "fd00:ec2::25": false,
	} {
		if got := IsMetadata(host); got != want {
			t.Errorf("%s: %v", host, got)
		}
	}
}
