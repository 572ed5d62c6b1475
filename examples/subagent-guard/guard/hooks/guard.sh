#!/bin/sh
# Nobody pushes by force, in whichever agent.
if grep -q 'push --force'; then
  echo 'Never by force.' >&2
  exit 2
fi
