// Package durations reads and writes durations such as "1h30m".
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
	whole = regexp.MustCompile(`^(\d+[dhms])+$`)
	part  = regexp.MustCompile(`(\d+)([dhms])`)
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
