#!/bin/sh
echo "The workshop closes at six."
