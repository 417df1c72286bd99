package public

import (
	"net/netip"
	"slices"
	"strings"
)

// metadata lists the services that give a virtual machine or a container in a cloud information
// about itself, often with credentials. Libraries for clouds and for telemetry query all of them to
// find out where they run.
var metadata = struct {
	addresses []netip.Addr
	names     []string
}{
	[]netip.Addr{
		netip.MustParseAddr("169.254.169.254"), netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("fd20:ce::254"), // AWS, Azure and most others; AWS; Google
		netip.MustParseAddr("169.254.170.2"), netip.MustParseAddr("169.254.170.23"), netip.MustParseAddr("fd00:ec2::23"), // the containers of AWS
		netip.MustParseAddr("100.100.100.200"), netip.MustParseAddr("169.254.0.23"), netip.MustParseAddr("192.0.0.192"), // Alibaba, Tencent, Oracle
		netip.MustParseAddr("169.254.42.42"), netip.MustParseAddr("fd00:42::42"), // Scaleway
	},
	[]string{"metadata", "metadata.google.internal", "metadata.goog", "metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com", "instance-data", "instance-data.ec2.internal"},
}

// IsMetadata reports whether a host, with or without a port, is the metadata service of a cloud.
func IsMetadata(host string) bool {
	if at, err := netip.ParseAddrPort(host); err == nil {
		return slices.Contains(metadata.addresses, at.Addr().Unmap())
	}
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return slices.Contains(metadata.addresses, a.Unmap())
	}
	name, _, _ := strings.Cut(host, ":")
	return slices.Contains(metadata.names, strings.ToLower(strings.TrimSuffix(name, ".")))
}
