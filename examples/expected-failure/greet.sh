#!/bin/sh
# It greets everybody in English.
echo "Hello, $1!"
