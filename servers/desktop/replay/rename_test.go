package replay

import "testing"

func TestNothingFitsIsOneSentence(t *testing.T) {
	for advice, want := range map[string]string{"": "there is no button OK", "Open it first": "there is no button OK. Open it first"} {
		if _, err := onlyOne(nil, "the button OK", advice); err == nil || err.Error() != want {
			t.Errorf("%q", err)
		}
	}
}
