/** The file types of ripgrep 14.1.1 that are used most, as `rg --type-list` of Claude Code 2.1.325 tells them. */
const PATTERNS: Readonly<Record<string, string>> = {
  c: '*.[chH] *.[chH].in *.cats',
  clojure: '*.clj *.cljc *.cljs *.cljx',
  cmake: '*.cmake CMakeLists.txt',
  cpp: '*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in *.inl',
  cs: '*.cs',
  csharp: '*.cs',
  css: '*.css *.scss',
  csv: '*.csv',
  d: '*.d',
  dart: '*.dart',
  docker: '*Dockerfile*',
  elixir: '*.eex *.ex *.exs *.heex *.leex *.livemd',
  elm: '*.elm',
  erlang: '*.erl *.hrl',
  fish: '*.fish',
  go: '*.go',
  gradle: '*.gradle *.gradle.kts gradle-wrapper.* gradle.properties gradlew gradlew.bat',
  graphql: '*.graphql *.graphqls',
  groovy: '*.gradle *.groovy',
  h: '*.h *.hh *.hpp',
  haskell: '*.c2hs *.cpphs *.hs *.hsc *.lhs',
  html: '*.ejs *.htm *.html',
  java: '*.java *.jsp *.jspx *.properties',
  js: '*.cjs *.js *.jsx *.mjs *.vue',
  json: '*.json *.sarif composer.lock',
  jsonl: '*.jsonl',
  julia: '*.jl',
  kotlin: '*.kt *.kts',
  less: '*.less',
  lua: '*.lua',
  make: '*.mak *.mk [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in [Mm]akefile [Mm]akefile.am [Mm]akefile.in',
  markdown: '*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn',
  md: '*.markdown *.md *.mdown *.mdwn *.mdx *.mkd *.mkdn',
  nix: '*.nix',
  ocaml: '*.ml *.mli *.mll *.mly',
  perl: '*.PL *.perl *.pl *.plh *.plx *.pm *.t',
  php: '*.php *.php3 *.php4 *.php5 *.php7 *.php8 *.pht *.phtml',
  protobuf: '*.proto',
  ps: '*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1',
  py: '*.py *.pyi',
  python: '*.py *.pyi',
  r: '*.R *.Rmd *.Rnw *.r',
  ruby: '*.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru',
  rust: '*.rs',
  sass: '*.sass *.scss',
  scala: '*.sbt *.scala',
  sh: '*.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout .bash_profile .bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout .zprofile .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin zlogout zprofile zshenv zshrc',
  solidity: '*.sol',
  sql: '*.psql *.sql',
  svelte: '*.svelte',
  svg: '*.svg',
  swift: '*.swift',
  tf: '*.auto.tfvars *.auto.tfvars.json *.terraform.lock.hcl *.terraformrc *.tf *.tf.json *.tfrc terraform.rc terraform.tfvars terraform.tfvars.json',
  toml: '*.toml Cargo.lock',
  ts: '*.cts *.mts *.ts *.tsx',
  typescript: '*.cts *.mts *.ts *.tsx',
  txt: '*.txt',
  vim: '*.vim .gvimrc .vimrc _gvimrc _vimrc gvimrc vimrc',
  vue: '*.vue',
  xml: '*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt',
  yaml: '*.yaml *.yml',
  zig: '*.zig',
};

/** Those that ripgrep has, too. */
const OTHERS: ReadonlySet<string> = new Set(
  (
    'ada agda aidl alire amake asciidoc asm asp ats avro awk bat batch bazel bitbake brotli buildstream ' +
    'bzip2 cabal candid carp cbor ceylon cmd cml coffeescript config coq creole crystal cshtml csproj ' +
    'cuda cython devicetree dhall diff dita dockercompose dts dvc ebuild edn elisp erb fennel fidl ' +
    'flatbuffers fortran fsharp fut gap gn gprbuild gzip haml hare hbs hs hy idris janet jinja jl jupyter ' +
    'k lean license lilypond lisp lock log lz4 lzma m4 mako man matlab meson minified mint mk ml motoko ' +
    'msbuild nim objc objcpp org pants pascal pdf po pod postscript prolog puppet purs qmake qml racket ' +
    'raku rdoc readme reasonml red rescript robot rst slim smarty sml soy spark spec stylus sv swig ' +
    'systemd taskpaper tcl tex texinfo textile thrift twig typoscript usd v vala vb vcl verilog vhdl ' +
    'vimscript webidl wgsl wiki xz yacc yang z zsh zstd'
  ).split(' '),
);

/** The patterns of a type: nothing for a wrong name, and 'unknown' for one that only ripgrep knows. */
export function patternsOfType(type: string): readonly string[] | 'unknown' | undefined {
  const patterns = Object.hasOwn(PATTERNS, type) ? PATTERNS[type] : undefined;
  if (patterns !== undefined) return patterns.split(' ');
  return OTHERS.has(type) ? 'unknown' : undefined;
}
