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
		s = s.WithRecent(Launch{Path: fmt.Sprintf("/t/%d.py", i)})
	}
	before := s
	s = s.WithRecent(Launch{Path: "/t/7.py"})
	if len(s.Recent) != maxRecent || s.Recent[0].Path != "/t/7.py" || s.Recent[1].Path != "/t/11.py" {
		t.Errorf("recent are %v", s.Recent)
	}
	if before.Recent[0].Path != "/t/11.py" {
		t.Error("the older value has changed")
	}
	s = s.WithRecent(Launch{Path: "/t/7.py", Args: []string{"-v"}})
	if s.Recent[1].Path != "/t/7.py" {
		t.Error("other arguments are no other server")
	}
	if s = s.WithoutRecent(Launch{Path: "/t/7.py"}); s.Recent[1].Path == "/t/7.py" || len(s.Recent[0].Args) != 1 {
		t.Errorf("after forgetting: %v", s.Recent)
	}
}

func TestLaunchTogglesAndDrops(t *testing.T) {
	l := Launch{Path: "/t/a.py"}
	s := Settings{}.WithStart(l, true)
	if !s.StartsServer(l) {
		t.Fatal("it is not started")
	}
	if s = s.WithStart(l, false); s.StartsServer(l) || len(s.Launch) != 1 {
		t.Errorf("switched off: %v", s.Launch)
	}
	if s = s.WithoutStart(l); len(s.Launch) != 0 {
		t.Errorf("dropped: %v", s.Launch)
	}
	ghost, extra := Bundled{Name: "ghost", Default: true}, Bundled{Name: "extra"}
	if !s.StartsBundled(ghost) || s.StartsBundled(extra) {
		t.Error("the defaults are wrong")
	}
	if s = s.WithBundled(extra, true).WithBundled(extra, true); !s.StartsBundled(extra) || len(s.BundledOn) != 1 {
		t.Errorf("bundled on: %v", s.BundledOn)
	}
	if s = s.WithBundled(extra, false); s.StartsBundled(extra) || len(s.BundledOn)+len(s.BundledOff) != 0 {
		t.Errorf("bundled on: %v, off: %v", s.BundledOn, s.BundledOff)
	}
	desk := Bundled{Name: "desktop", Switches: []Switch{{Name: "scripting"}, {Name: "hidden"}}}
	on := s.WithSwitch(desk, "hidden", true).WithSwitch(desk, "hidden", true)
	if on.StartsBundled(desk) || len(on.BundledOn) != 1 || !slices.Equal(on.BundledWithSwitches(desk).On, []string{"hidden"}) {
		t.Errorf("a switch is on: %+v", on)
	}
	if off := on.WithSwitch(desk, "hidden", false); len(off.BundledOn) != 0 || len(off.BundledWithSwitches(desk).On) != 0 {
		t.Errorf("a switch is off again: %+v", off)
	}
	if s = s.WithBundled(ghost, false).WithBundled(ghost, false); len(s.BundledOff) != 1 {
		t.Errorf("bundled off: %v", s.BundledOff)
	}
	if s = s.WithBundled(ghost, true); len(s.BundledOff) != 0 {
		t.Errorf("bundled off: %v", s.BundledOff)
	}
}

func TestZoomGoesInStepsAndStops(t *testing.T) {
	s := Settings{}
	if s = s.WithZoomStep(1); s.Percent() != 110 {
		t.Errorf("one step is %d", s.Percent())
	}
	for range 20 {
		s = s.WithZoomStep(1)
	}
	if s.Percent() != 200 {
		t.Errorf("the largest is %d", s.Percent())
	}
	for range 20 {
		s = s.WithZoomStep(-1)
	}
	if s.Percent() != 70 {
		t.Errorf("the smallest is %d", s.Percent())
	}
	if s = s.WithZoomStep(0); s.Zoom != 0 {
		t.Errorf("as usual is %d", s.Zoom)
	}
	if s = (Settings{Zoom: 135}).WithZoomStep(1); s.Zoom != 150 {
		t.Errorf("after an odd 135 comes %d", s.Zoom)
	}
}

func TestSettingsReadBack(t *testing.T) {
	in := Settings{Model: "m", TimeLimits: TimeLimits{CallTimeout: Limit(90e9)}, Theme: "dark"}.WithRecent(Launch{Path: "/a.py", Args: []string{"b"}})
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
	if s := (Settings{TextSize: 18}).WithText(14); s.TextSize != 0 || s.TextGrowth() != 0 {
		t.Error("the usual size is written down")
	}
}
