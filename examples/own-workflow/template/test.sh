# The tests of the project.
grep -q . VERSION
