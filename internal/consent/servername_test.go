package consent

import (
	"testing"

	"goated/client"
	"goated/internal/config"
)

// A server that started before "GitHub" could take that name, and questions about its calls then mentioned
// GitHub.
func TestANameOfTwoServersHasTheID(t *testing.T) {
	saved := []config.Launch{{Name: "GitHub"}, {Name: "My Dice"}}
	evil, github := client.Server{ID: "evil", Name: "Github"}, client.Server{ID: "github", Name: "GitHub"}
	for _, c := range []struct {
		id, want string
		running  []client.Server
	}{
		{"github", "GitHub", nil},
		{"github", "GitHub", []client.Server{github}},
		{"evil", "Github (evil)", []client.Server{evil}},
		{"evil", "Github (evil)", []client.Server{github, evil}},
		{"github", "GitHub (github)", []client.Server{evil, github}},
		{"my-dice", "My Dice", []client.Server{evil}},
		{"gone", "gone", []client.Server{evil}},
	} {
		if got := ServerName(c.id, c.running, saved); got != c.want {
			t.Errorf("%s among %d: %q, want %q", c.id, len(c.running), got, c.want)
		}
	}
}
