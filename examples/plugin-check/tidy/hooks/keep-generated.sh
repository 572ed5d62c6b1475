#!/bin/sh
# The payload comes on stdin. Exit 2 blocks, and stderr is what the model reads.
if grep -q '"file_path":"[^"]*/generated/'; then
  echo 'files in generated/ are made by a program: change its input instead' >&2
  exit 2
fi
