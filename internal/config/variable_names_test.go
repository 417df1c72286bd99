package config

import (
	"strings"
	"testing"
)

// Besides keys, READMEs contain switches, token counts and strings for the sign-in.
func TestSecretsAmongVariables(t *testing.T) {
	for pair, want := range map[string]bool{
		"AUTH_DISABLED=true": false, "REQUIRE_REQUEST_TOKEN=False": false, "MAX_TOKENS=10000": false, "MAX_OUTPUT_TOKENS=": false,
		"TELEGRAM_SESSION_STRING=": true, "TELEGRAM_API_HASH=": true, "MDB_CONNECTION_STRING=": true, "AUTH=": true, "TOKEN=1": true, "ACCESS_TOKENS=a": true,
		// An input holds the secret, unless the rest of the value contains another one.
		"API_KEY=${input:key}": false, "PROXY=https://me:pw@${input:host}": true, "FLAGS=--user=${input:user} --token=ghp_" + strings.Repeat("aB3", 12): true,
	} {
		if v := VariablesOf([]string{pair})[0]; v.Secret() != want {
			t.Errorf("%s: secret is %v", pair, !want)
		}
	}
}
