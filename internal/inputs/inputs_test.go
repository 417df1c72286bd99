package inputs

import (
	"strings"
	"testing"
)

func TestFill(t *testing.T) {
	one, ten := 1.0, 10.0
	list := []Input{
		{ID: "key", Title: "API key", Required: true, Secret: true}, {ID: "mode", Choices: []string{"fast", "slow"}, Default: []string{"fast"}},
		{ID: "size", Kind: Number, Min: &one, Max: &ten}, {ID: "on", Kind: Boolean}, {ID: "dirs", Kind: Folder, Multiple: true},
	}
	got, err := Fill(list, Values{"key": {"k"}, "dirs": {"/a", "", "/b"}})
	if err != nil || got["mode"][0] != "fast" || len(got["dirs"]) != 2 || got["size"] != nil {
		t.Errorf("%v, %v", got, err)
	}
	for want, given := range map[string]Values{
		"API key is missing": {}, "choose one of fast, slow": {"key": {"k"}, "mode": {"x"}}, "enter a number": {"key": {"k"}, "size": {"x"}},
		"the greatest number is 10": {"key": {"k"}, "size": {"11"}}, "the least number is 1": {"key": {"k"}, "size": {"0"}},
		"true or false": {"key": {"k"}, "on": {"yes"}}, "one value only": {"key": {"k", "l"}}, `no setting "other"`: {"key": {"k"}, "other": {"x"}},
		"zero byte": {"key": {"secret\x00value"}},
	} {
		if _, err := Fill(list, given); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v: %v, want %q", given, err, want)
		}
	}
}
