#!/bin/sh
echo "The toolbox is open."
