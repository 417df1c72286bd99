package kit

import (
	"strings"

	"goated/internal/safetext"
	"goated/ui/typeset"
)

// Shown returns text for drawing. It expands tabs and drops line feeds. It marks every other
// invisible character, because such characters can make one name look like another; see
// [safetext.Mark].
func Shown(text string) string {
	if strings.IndexByte(text, '\t') >= 0 {
		text = strings.ReplaceAll(text, "\t", "    ")
	}
	if typeset.IsPlain(text) {
		return text
	}
	return safetext.Mark(lineEnds.Replace(text))
}

// lineEnds removes line breaks, which the layout has already turned into lines.
var lineEnds = strings.NewReplacer("\n", "", "\r", "")
