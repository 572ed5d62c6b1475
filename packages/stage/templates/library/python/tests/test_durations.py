import unittest

from durations import format_seconds, parse


class ParseTest(unittest.TestCase):
    def test_reads_one_unit(self):
        self.assertEqual(parse("45s"), 45)

    def test_adds_units_up(self):
        self.assertEqual(parse("1d2h3m4s"), 93784)

    def test_refuses_what_is_no_duration(self):
        for text in ["", "h", "10", "1h ", "1h-5m", "x1h"]:
            with self.subTest(text), self.assertRaises(ValueError):
                parse(text)


class FormatTest(unittest.TestCase):
    def test_leaves_empty_units_out(self):
        self.assertEqual(format_seconds(3600), "1h")

    def test_says_zero(self):
        self.assertEqual(format_seconds(0), "0s")

    def test_refuses_negative_numbers(self):
        with self.assertRaises(ValueError):
            format_seconds(-1)

    def test_is_the_inverse_of_parse(self):
        for seconds in [0, 59, 60, 86399, 93784]:
            self.assertEqual(parse(format_seconds(seconds)), seconds)


if __name__ == "__main__":
    unittest.main()
