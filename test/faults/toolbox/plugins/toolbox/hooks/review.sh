#!/bin/sh
# What a shell did is looked at by the model once more.
if grep -q 'sawdust'; then
  echo '{ "decision": "block", "reason": "Sweep the floor before you go on." }'
fi
