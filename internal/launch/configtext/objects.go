package configtext

import "goated/internal/lazyregexp"

// serverKey matches a key that occurs only in a configuration of servers.
var serverKey = lazyregexp.New(`["']?(?:mcpServers|mcp_servers|context_servers|servers|command|url|serverUrl|httpUrl)["']?\s*:`)

// Objects returns the first balanced JSON objects in a text that contain such a key, at most as many as
// most.
func Objects(text string, most int) []string {
	var out []string
	begin, deep, inside := 0, 0, false
	for i := 0; i < len(text) && len(out) < most; i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"' && deep > 0:
			inside = !inside
		case inside:
		case c == '{':
			if deep == 0 {
				begin = i
			}
			deep++
		case c == '}' && deep > 0:
			if deep--; deep == 0 && serverKey.MatchString(text[begin:i+1]) {
				out = append(out, text[begin:i+1])
			}
		}
	}
	return out
}
