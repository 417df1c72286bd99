package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

func TestRecentServersAreFewAndDifferent(t *testing.T) {
	var s Settings
	for i := range 12 {
		s = s.Used(Launch{Path: fmt.Sprintf("/t/%d.py", i)})
	}
	before := s
	s = s.Used(Launch{Path: "/t/7.py"})
	if len(s.Recent) != maxRecent || s.Recent[0].Path != "/t/7.py" || s.Recent[1].Path != "/t/11.py" {
		t.Errorf("recent are %v", s.Recent)
	}
	if before.Recent[0].Path != "/t/11.py" {
		t.Error("the older value has changed")
	}
	s = s.Used(Launch{Path: "/t/7.py", Args: []string{"-v"}})
	if s.Recent[1].Path != "/t/7.py" {
		t.Error("other arguments are no other server")
	}
	if s = s.Forget(Launch{Path: "/t/7.py"}); s.Recent[1].Path == "/t/7.py" || len(s.Recent[0].Args) != 1 {
		t.Errorf("after forgetting: %v", s.Recent)
	}
}

func TestLaunchTogglesAndDrops(t *testing.T) {
	l := Launch{Path: "/t/a.py"}
	s := Settings{}.Start(l, true)
	if !s.AtLaunch(l) {
		t.Fatal("it is not started")
	}
	if s = s.Start(l, false); s.AtLaunch(l) || len(s.Launch) != 1 {
		t.Errorf("switched off: %v", s.Launch)
	}
	if s = s.Drop(l); len(s.Launch) != 0 {
		t.Errorf("dropped: %v", s.Launch)
	}
	ghost, extra := Bundled{Name: "ghost", Default: true}, Bundled{Name: "extra"}
	if !s.Starts(ghost) || s.Starts(extra) {
		t.Error("the defaults are wrong")
	}
	if s = s.StartBundled(extra, true).StartBundled(extra, true); !s.Starts(extra) || len(s.BundledOn) != 1 {
		t.Errorf("bundled on: %v", s.BundledOn)
	}
	if s = s.StartBundled(extra, false); s.Starts(extra) || len(s.BundledOn)+len(s.BundledOff) != 0 {
		t.Errorf("bundled on: %v, off: %v", s.BundledOn, s.BundledOff)
	}
	desk := Bundled{Name: "desktop", Switches: []Switch{{Name: "scripting"}, {Name: "hidden"}}}
	on := s.Switch(desk, "hidden", true).Switch(desk, "hidden", true)
	if on.Starts(desk) || len(on.BundledOn) != 1 || !slices.Equal(on.Switched(desk).On, []string{"hidden"}) {
		t.Errorf("a switch is on: %+v", on)
	}
	if off := on.Switch(desk, "hidden", false); len(off.BundledOn) != 0 || len(off.Switched(desk).On) != 0 {
		t.Errorf("a switch is off again: %+v", off)
	}
	if s = s.StartBundled(ghost, false).StartBundled(ghost, false); len(s.BundledOff) != 1 {
		t.Errorf("bundled off: %v", s.BundledOff)
	}
	if s = s.StartBundled(ghost, true); len(s.BundledOff) != 0 {
		t.Errorf("bundled off: %v", s.BundledOff)
	}
}

func TestZoomGoesInStepsAndStops(t *testing.T) {
	s := Settings{}
	if s = s.Zoomed(1); s.Percent() != 110 {
		t.Errorf("one step is %d", s.Percent())
	}
	for range 20 {
		s = s.Zoomed(1)
	}
	if s.Percent() != 200 {
		t.Errorf("the largest is %d", s.Percent())
	}
	for range 20 {
		s = s.Zoomed(-1)
	}
	if s.Percent() != 70 {
		t.Errorf("the smallest is %d", s.Percent())
	}
	if s = s.Zoomed(0); s.Zoom != 0 {
		t.Errorf("as usual is %d", s.Zoom)
	}
	if s = (Settings{Zoom: 135}).Zoomed(1); s.Zoom != 150 {
		t.Errorf("after an odd 135 comes %d", s.Zoom)
	}
}

func TestSettingsReadBack(t *testing.T) {
	in := Settings{Model: "m", TimeLimits: TimeLimits{CallTimeout: Limit(90e9)}, Theme: "dark"}.Used(Launch{Path: "/a.py", Args: []string{"b"}})
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out Settings
	if err := json.Unmarshal(data, &out); err != nil || fmt.Sprint(out) != fmt.Sprint(in) {
		t.Errorf("%s reads as %+v, %v", data, out, err)
	}
	if err := json.Unmarshal([]byte(`{"callTimeout":"-1s"}`), &out); err == nil {
		t.Error("a limit of less than nothing is read")
	}
}

func TestTextHasASizeThatCanBeRead(t *testing.T) {
	for size, want := range map[int]int{0: 14, 14: 14, 16: 16, 3: 11, 900: 24, -2: 11} {
		if got := (Settings{TextSize: size}).Text(); got != want {
			t.Errorf("%d is %d, not %d", size, got, want)
		}
	}
	if s := (Settings{TextSize: 18}).WithText(14); s.TextSize != 0 || s.Growth() != 0 {
		t.Error("the usual size is written down")
	}
}
