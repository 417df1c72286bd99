package intent

import (
	"strings"
	"testing"
)

// A request may contain letters whose lower case has another size, and bytes that are not UTF-8, such as
// a line of a Latin-1 file. The offsets of its parts stay right.
func TestOffsetsOfUnusualLetters(t *testing.T) {
	text := map[string]any{"type": "string"}
	tools := []Tool{{Name: "time__convert_time", Server: "time", Own: "convert_time", Description: "Convert a time between timezones", Schema: map[string]any{
		"type": "object", "properties": map[string]any{"source_timezone": text, "time": text, "target_timezone": text}, "required": []any{"source_timezone", "time", "target_timezone"},
	}}}
	for _, letter := range []string{"\xe4", "Ⱥ", "İ", "ẞ", "K", "ä"} {
		letters := strings.Repeat(letter, 40)
		for _, request := range []string{
			letters + " convert 10:00 from UTC to Berlin",
			letters + " convert 10:00 to Berlin from UTC",
			letters + " convert 10:00 from Europe/Paris to GMT",
		} {
			x := newIndex(tools)
			r := x.read(request)
			args := x.fill(r, x.tools[0])
			if len(r.zones) != 2 || args["source_timezone"] == nil || args["source_timezone"] == args["target_timezone"] {
				t.Errorf("%q: the zones are %v, the arguments %v", request, r.zones, args)
			}
		}
	}
}
