package sandbox

import (
	"slices"
	"testing"
)

// A server that lacked the address of its database checked whether it runs in a cloud, and exited.
// goated asked the user for that cloud's metadata service, which hands out credentials.
func TestALookForACloudAsksNobody(t *testing.T) {
	cloud, google := Permission{Kind: ToHost, Host: "169.254.169.254"}, Permission{Kind: ToHost, Host: "metadata.google.internal"}
	site := Permission{Kind: ToHost, Host: "api.test"}
	p := Policy{Network: NamedHosts}
	for name, c := range map[string]struct {
		e    Evidence
		want []Permission
	}{
		"in passing":            {Evidence{Refused: []Permission{cloud, google}, Text: []string{"no URL"}, Fatal: "no URL"}, nil},
		"that its error names":  {Evidence{Refused: []Permission{cloud}, Text: []string{"connect EACCES 169.254.169.254:80"}, Fatal: "connect EACCES 169.254.169.254:80"}, nil},
		"that its call names":   {Evidence{Refused: []Permission{cloud}, Blocked: []Permission{cloud}, Said: []string{"may not reach 169.254.169.254"}}, nil},
		"by a name":             {Evidence{Refused: []Permission{google}, Text: []string{"getaddrinfo EAI_AGAIN metadata.google.internal:80"}}, nil},
		"beside another host":   {Evidence{Refused: []Permission{cloud, site}, Text: []string{"no URL"}, Fatal: "no URL"}, []Permission{site}},
		"that its user names":   {Evidence{Refused: []Permission{cloud, google}, Config: "fetch\nhttp://169.254.169.254/latest"}, []Permission{cloud}},
		"another address of it": {Evidence{Refused: []Permission{google}, Config: "http://169.254.169.254/latest"}, nil},
	} {
		if got := Needs(p, c.e); !slices.Equal(got, c.want) {
			t.Errorf("%s: asks for %v, want %v", name, got, c.want)
		}
	}
}
