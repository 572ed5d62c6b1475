#!/bin/sh
echo "It stays." >&2
exit 2
