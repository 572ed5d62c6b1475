# Nobody deploys on a Friday, and no agent at all. No tool of ours knows this program: guard.toml says how it is attacked.
if grep -q 'shipit production'; then
  echo 'Agents do not deploy.' >&2
  exit 2
fi
