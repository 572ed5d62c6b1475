# Stops a push by force. Exit code 2 blocks the tool.
if grep -q 'git push --force'; then
  echo 'Never by force.' >&2
  exit 2
fi
