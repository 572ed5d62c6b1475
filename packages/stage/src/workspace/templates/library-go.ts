import type { Template } from './template.js';

const durations = `// Package durations reads and writes durations such as "1h30m".
package durations

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var units = []struct {
	name string
	size int
}{{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}}

var (
	whole = regexp.MustCompile(\`^(\\d+[dhms])+$\`)
	part  = regexp.MustCompile(\`(\\d+)([dhms])\`)
)

// Parse gives the seconds of a text such as "1h30m".
func Parse(text string) (int, error) {
	if !whole.MatchString(text) {
		return 0, fmt.Errorf("not a duration: %q", text)
	}
	seconds := 0
	for _, match := range part.FindAllStringSubmatch(text, -1) {
		count, err := strconv.Atoi(match[1])
		if err != nil {
			return 0, fmt.Errorf("not a duration: %q: %w", text, err)
		}
		for _, unit := range units {
			if unit.name == match[2] {
				seconds += count * unit.size
			}
		}
	}
	return seconds, nil
}

// Format gives the shortest text for a number of seconds.
func Format(seconds int) (string, error) {
	if seconds < 0 {
		return "", fmt.Errorf("a duration cannot be negative: %d", seconds)
	}
	var text strings.Builder
	for _, unit := range units {
		if count := seconds / unit.size; count > 0 {
			fmt.Fprintf(&text, "%d%s", count, unit.name)
			seconds %= unit.size
		}
	}
	if text.Len() == 0 {
		return "0s", nil
	}
	return text.String(), nil
}
`;

const tests = `package durations

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
`;

/** Durations as text, a package without dependencies. */
export const libraryGo: Template = {
  files: ({ title, slug }) => ({
    'README.md': `# ${title}\n\nReads and writes durations.\n\n\`\`\`go\nseconds, err := durations.Parse("1h30m") // 5400\ntext, err := durations.Format(5400)      // "1h30m"\n\`\`\`\n\nTest: \`go test ./...\`\n`,
    '.gitignore': '*.test\n',
    'go.mod': `module example.com/${slug}\n\ngo 1.21\n`,
    'durations.go': durations,
    'durations_test.go': tests,
  }),
  testCommand: ['go', 'test', './...'],
};
