/**
 * Commands that only look, which Claude Code 2.1.325 runs without asking; each was seen to do so
 * (test/conformance/recorded/claude-2.1.325-bash.json).
 */

/** Whatever their arguments. */
export const FREE: ReadonlySet<string> = new Set(
  (
    'basename cal cat cd cmp column comm cut df diff dirname du echo expand expr false fmt fold free ' +
    'groups head hexdump id locale ls md5sum nl nproc numfmt od paste pr readlink realpath rev seq sha1sum ' +
    'sha256sum sleep stat strings tac tail test tr true tsort type uname unexpand uptime wc'
  ).split(' '),
);

/** With nothing behind their name. */
export const BARE: ReadonlySet<string> = new Set(['arch', 'pwd', 'whoami', 'history']);

/** Programs that may tell their version. */
export const VERSIONED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    node: ['--version', '-v'],
    python: ['--version'],
    python3: ['--version'],
  }),
);

/** What `xargs` may start. */
export const ADDED_TO: ReadonlySet<string> = new Set(['echo', 'grep', 'head', 'printf', 'tail', 'wc']);

/**
 * With these options alone. `-a` takes nothing, `--sort=` a value, `-A#` a number, `--color?` a value or nothing,
 * `--sort:` a value at once. What
 * may stand behind them is in command-kinds.ts.
 */
export const WITH_OPTIONS: Readonly<Record<string, string>> = {
  base64: '-d -i -w# --decode --ignore-garbage --version --wrap#',
  date:
    '-d= -I -R -r= -u --date= --debug --iso-8601: --reference= --rfc-3339= --rfc-email --universal --utc ' +
    '--version',
  fd:
    '-0 -1 -a -c -d# -E -e -F -g -H -h -I -i -j# -L -o -p -q -S -s -t -V --absolute-path --base-directory? ' +
    '--batch-size# --case-sensitive --changed-before? --changed-within? --color? --exact-depth# --exclude? ' +
    '--extension? --fixed-strings --follow --full-path --glob --hidden --ignore-case --ignore-file? --max-depth# ' +
    '--max-results# --min-depth# --no-ignore --no-ignore-vcs --one-file-system --owner? --path-separator? ' +
    '--print0 --prune --quiet --regex --search-path? --show-errors --size? --strip-cwd-prefix --threads# --type? ' +
    '--version',
  file:
    '-0 -b -c -F -h -i -k -L -l -n -p -r -s -v --apple --brief --dereference --exclude --exclude-quiet ' +
    '--keep-going --list --mime --mime-encoding --mime-type --no-buffer --no-dereference --preserve-date --print0 ' +
    '--raw --separator --special-files --version',
  'git blame':
    '-C -e -f -l -L= -M -n -p -s -t -w --abbrev= --date= --ignore-rev= --ignore-revs-file= --incremental ' +
    '--line-porcelain --porcelain --root --score-debug --show-email --show-name --show-number --show-stats',
  'git branch':
    '-a -i -l -r -v --abbrev: --all --color --column --contains= --ignore-case --list --merged --no-contains= ' +
    '--no-merged --points-at= --remotes --show-current --sort= --verbose',
  'git cat-file': '-e -p -s -t --batch-check',
  'git config': '--get',
  'git describe':
    '--abbrev= --always --broken --candidates= --contains --dirty --exact-match --exclude= --long --match= --tags',
  'git diff':
    '-B -C -D -G= -l -M -O= -p -R -s -S= -u --abbrev= --binary --break-rewrites --cached --check --color ' +
    '--color-words --diff-algorithm= --diff-filter= --dirstat --exit-code --find-copies --find-copies-harder ' +
    '--find-renames --full-index --function-context --histogram --ignore-all-space --ignore-blank-lines ' +
    '--ignore-space-at-eol --ignore-space-change --inter-hunk-context= --irreversible-delete --minimal ' +
    '--name-only --name-status --no-color --no-ext-diff --no-index --no-renames --numstat --patch-with-stat ' +
    '--patience --pickaxe-all --pickaxe-regex --quiet --relative= --shortstat --staged --stat --summary ' +
    '--word-diff --word-diff-regex= --ws-error-highlight=',
  'git for-each-ref': '--contains= --count= --merged= --no-contains= --no-merged= --points-at= --sort=',
  'git grep':
    '-A= -B= -c -C= -E -e= -F -G -H -h -i -L -l -n -o -P -q -v -w --after-context= --and --basic-regexp ' +
    '--before-context= --break --cached --color --context= --count --extended-regexp --files-with-matches ' +
    '--files-without-match --fixed-strings --full-name --heading --ignore-case --invert-match --line-number ' +
    '--max-depth= --no-index --not --only-matching --or --perl-regexp --quiet --recurse-submodules --threads= ' +
    '--untracked --word-regexp',
  'git log':
    '-G= -n= -p -s -S= --abbrev-commit --after= --all --ancestry-path --author-date-order --author= --before= ' +
    '--boundary --branches --cherry-mark --cherry-pick --color --committer= --date-order --date= --decorate ' +
    '--dense --diff-filter= --first-parent --follow --full-history --graph --grep= --left-right --max-count= ' +
    '--merges --name-only --name-status --no-color --no-decorate --no-ext-diff --no-merges --no-patch --no-walk ' +
    '--numstat --oneline --patch --pickaxe-all --pickaxe-regex --relative-date --remotes --reverse --shortstat ' +
    '--simplify-merges --since= --skip= --source --sparse --stat --tags --topo-order --until= --walk-reflogs',
  'git ls-files':
    '-c -d -f -i -k -m -o -s -t -u -v -X= -x= -z --abbrev= --cached --debug --deleted --directory --eol ' +
    '--error-unmatch --exclude-from= --exclude-per-directory= --exclude-standard --exclude= --full-name --ignored ' +
    '--killed --modified --others --recurse-submodules --stage --unmerged',
  'git ls-remote': '-h -q -t --exit-code --get-url --heads --quiet --refs --sort: --symref --tags',
  'git merge-base': '--all --fork-point --independent --is-ancestor --octopus',
  'git reflog':
    '-n= --after= --all --author= --before= --branches --committer= --date= --decorate --graph --grep= ' +
    '--max-count= --no-decorate --oneline --relative-date --remotes --since= --tags --until=',
  'git rev-list':
    '-n= --abbrev-commit --abbrev= --after= --all --ancestry-path --author= --before= --branches --committer= ' +
    '--count --dense --first-parent --full-history --graph --grep= --max-age= --max-count= --max-parents= ' +
    '--merges --min-age= --min-parents= --no-max-parents --no-merges --no-min-parents --oneline --remotes ' +
    '--reverse --since= --skip= --source --sparse --tags --until= --walk-reflogs',
  'git rev-parse':
    '--abbrev-ref --absolute-git-dir --git-common-dir --git-dir --is-bare-repository --is-inside-git-dir ' +
    '--is-inside-work-tree --is-shallow-repository --short= --show-cdup --show-prefix --show-toplevel --symbolic ' +
    '--symbolic-full-name --verify',
  'git shortlog':
    '-c -e -n -s --after= --all --author= --before= --branches --committer --email --group= --no-merges ' +
    '--numbered --remotes --since= --summary --tags --until=',
  'git show':
    '-m -p -s --abbrev-commit --color --color-words --date= --decorate --diff-filter= --first-parent --graph ' +
    '--name-only --name-status --no-color --no-decorate --no-ext-diff --no-patch --numstat --oneline --patch ' +
    '--quiet --raw --relative-date --shortstat --stat --word-diff --word-diff-regex=',
  'git stash list': '--all --branches --decorate --graph --no-decorate --oneline --relative-date --remotes --tags',
  'git stash show':
    '-p -s --color --name-only --name-status --no-color --no-ext-diff --no-patch --numstat --patch --shortstat ' +
    '--stat --word-diff',
  'git status':
    '-b -M= -s -u= -v --ahead-behind --branch --column --find-renames= --ignore-submodules= --ignored --long ' +
    '--no-renames --porcelain --short --untracked-files= --verbose',
  'git tag':
    '-i -l -n= --column --contains= --ignore-case --list --merged= --no-contains= --no-merged= --points-at= ' +
    '--sort=',
  'git worktree list': '-v --porcelain --verbose',
  grep: '-a -b -c -d -D -e -E -f -F -G -h -H -i -I -l -L -n -o -P -q -r -R -s -T -u -U -v -V -w -x -z -Z -A# -B# -C# -m# --after-context# --basic-regexp --before-context# --binary --binary-files? --byte-offset --color? --colour? --context# --count --dereference-recursive --devices? --directories? --exclude? --exclude-dir? --exclude-from? --extended-regexp --file? --files-with-matches --files-without-match --fixed-strings --group-separator? --ignore-case --include? --initial-tab --invert-match --label? --line-buffered --line-number --line-regexp --max-count# --no-filename --no-group-separator --no-ignore-case --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --regexp? --silent --text --unix-byte-offsets --version --with-filename --word-regexp',
  help: '',
  hostname:
    '-A -a -d -f -I -i -s --alias --all-fqdns --all-ip-addresses --domain --fqdn --ip-address --long --short ' +
    '--version',
  ifconfig: '',
  lsof:
    '-A -a -b -C -c -d -E -e -F -f -g -H -h -I -i -K -L -l -M -N -n -O -o -P -p -q -R -r -S -s -T -t -U -u ' +
    '-V -v -w -X -x',
  man: '-a -d -f -k -S# --all --apropos --whatis',
  netstat: '-a -g -i -l -n -r -s -v',
  pgrep:
    '-a -c -d -F -f -G -g -i -L -l -n -O -o -P -r -s -t -U -u -V -v -w -x --count --delimiter --euid --exact ' +
    '--full --group --ignore-case --inverse --lightweight --list-full --list-name --logpidfile --newest --ns ' +
    '--nslist --older --oldest --parent --pgroup --pidfile --runstates --session --terminal --uid --version',
  ps:
    '-A -a -c -d -e -F -f -H -j -L -l -m -N -p= -T -u= -V -w -y --deselect --forest --headers --help --info ' +
    '--no-headers --pid= --sid= --sort= --tty= --user= --version --width=',
  rg:
    '-a -A# -c -C# -d# -e -F -f -g -H -h -i -L -l -m# -n -o -q -S -T -t -u -v -w --after-context# ' +
    '--before-context# --color? --column --context# --count --debug --files-with-matches --files-without-match ' +
    '--fixed-strings --follow --glob? --heading --hidden --ignore-case --invert-match --json --line-number ' +
    '--max-count# --max-depth# --no-heading --no-ignore --only-matching --quiet --regexp? --smart-case --stats ' +
    '--text --type-list --type-not? --type? --version --word-regexp',
  sort:
    '-b -C -c -d -f -g -h -i -k -M -m -n -R -r -S -s -t -u -V -z --batch-size# --buffer-size? --check? ' +
    '--dictionary-order --field-separator? --general-numeric-sort --human-numeric-sort --ignore-case ' +
    '--ignore-leading-blanks --ignore-nonprinting --key? --merge --month-sort --numeric-sort --parallel# ' +
    '--random-sort --reverse --sort? --stable --unique --version --version-sort --zero-terminated',
  ss:
    '-0 -4 -6 -a -A= -b -d -E -e -f= -H -h -i -l -M -m -n -O -o -p -S -t -u -V -w -x -Z --all --bpf --cgroup ' +
    '--context --contexts --dccp --events --extended --family= --inet-sockopt --info --ipv4 --ipv6 --listening ' +
    '--memory --mptcp --no-header --numeric --oneline --options --packet --processes --query= --raw --sctp ' +
    '--socket= --summary --tcp --tipc --tipcinfo --tos --udp --unix --version --vsock',
  tree:
    '-A -a -C -c -D -d -F -f -g -h -H? -I -i -J -l -L# -N -n -P -p -Q -q -r -S -s -t -T? -U -u -v -X -x ' +
    '--charset# --device --dirsfirst --du --filelimit# --filesfirst --fromfile --fromtabfile --gitfile# ' +
    '--gitignore --hintro# --houtro# --ignore-case --info --inodes --matchdirs --metafirst --nolinks --noreport ' +
    '--prune --si --sort# --timefmt# --version',
  uniq:
    '-c -D -d -f -i -s -u -w -z --all-repeated --check-chars --count --group --ignore-case --repeated ' +
    '--skip-chars --skip-fields --unique --version --zero-terminated',
  which: '-a -p -s -V -v -w --version',
  xargs: '-0 -d= -I= -L# -n# -P# -r -s# -t -x',
};
