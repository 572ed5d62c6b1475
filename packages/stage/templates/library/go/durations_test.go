package durations

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]int{"45s": 45, "1d2h3m4s": 93784, "0s": 0} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
}

func TestParseRefusesWhatIsNoDuration(t *testing.T) {
	for _, text := range []string{"", "h", "10", "1h ", "1h-5m", "x1h"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: got %d", text, got)
		}
	}
}

func TestFormat(t *testing.T) {
	for seconds, want := range map[int]string{0: "0s", 3600: "1h", 5400: "1h30m"} {
		if got, err := Format(seconds); err != nil || got != want {
			t.Errorf("%d: got %q, %v", seconds, got, err)
		}
	}
}

func TestFormatRefusesNegativeNumbers(t *testing.T) {
	if got, err := Format(-1); err == nil {
		t.Errorf("got %q", got)
	}
}

func TestFormatIsTheInverseOfParse(t *testing.T) {
	for _, seconds := range []int{0, 59, 60, 86399, 93784} {
		text, _ := Format(seconds)
		if got, _ := Parse(text); got != seconds {
			t.Errorf("%d became %q and %d", seconds, text, got)
		}
	}
}
