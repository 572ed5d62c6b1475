# Stops a push by force. The mistake: exit code 1 blocks nothing.
if grep -q 'git push --force'; then
  echo 'Never by force.' >&2
  exit 1
fi
