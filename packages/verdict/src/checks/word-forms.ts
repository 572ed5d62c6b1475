/** Forms that no rule reaches. */
const IRREGULAR: Readonly<Record<string, string>> = {
  failure: 'fail',
  failures: 'fail',
  analysis: 'analyze',
  analyses: 'analyze',
  analyse: 'analyze',
  analysed: 'analyze',
  analysing: 'analyze',
  wrote: 'write',
  written: 'write',
  ran: 'run',
  built: 'build',
  found: 'find',
  broke: 'break',
  broken: 'break',
  chose: 'choose',
  chosen: 'choose',
  made: 'make',
};

/** Words that look like a form of another word and are none. */
const NO_FORMS = new Set(
  'news series species evening morning nothing something anything everything during question hardly lately likely'.split(
    ' ',
  ),
);

const VOWEL = /[aeiouy]/;
/** One short syllable that doubles its last letter before an ending: plan, run, stop. */
const DOUBLES = /^[^aeiou]*[aeiou][^aeiouwxy]$/;
const DOUBLED = /([bdfgklmnprtvz])\1$/;

interface Ending {
  suffix: string;
  /** The shortest stem that may be left. */
  least: number;
  bases(stem: string): string[];
}

const plus =
  (...endings: string[]) =>
  (stem: string) =>
    endings.map((ending) => stem + ending);

/** What may stand before -ed and -ing: plann → plan, cod → code, test → test, explor → explore. */
function verbBases(stem: string): string[] {
  if (DOUBLED.test(stem)) return [stem.slice(0, -1), stem];
  return DOUBLES.test(stem) ? [`${stem}e`] : [stem, `${stem}e`];
}

const ENDINGS: readonly Ending[] = [
  { suffix: 'ies', least: 2, bases: plus('y') },
  { suffix: 'es', least: 2, bases: (stem) => (/(s|x|z|ch|sh|o)$/.test(stem) ? [stem] : []) },
  { suffix: 's', least: 2, bases: (stem) => (/[siu]$/.test(stem) ? [] : [stem]) },
  { suffix: 'ied', least: 2, bases: plus('y') },
  { suffix: 'ed', least: 2, bases: verbBases },
  { suffix: 'ing', least: 2, bases: verbBases },
  { suffix: 'ically', least: 3, bases: plus('ic') },
  { suffix: 'ily', least: 3, bases: plus('y') },
  { suffix: 'ly', least: 4, bases: plus('') },
  { suffix: 'ication', least: 3, bases: plus('y') },
  { suffix: 'ation', least: 4, bases: plus('', 'e') },
  { suffix: 'ion', least: 5, bases: (stem) => (/[ts]$/.test(stem) ? [stem, `${stem}e`] : []) },
  { suffix: 'ment', least: 4, bases: plus('') },
];

/** How many endings a word may carry on top of each other: implement-ation-s. */
const DEPTH = 3;

/** Texts repeat their words, and checks repeat their texts. */
const cache = new Map<string, ReadonlySet<string>>();
const MOST_CACHED = 10_000;

/** The word and what it may be a form of. Some of these are no words; they do no harm, since nobody asks for them. */
export function basesOf(word: string): ReadonlySet<string> {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const found = new Set([word]);
  let layer = [word];
  for (let depth = 0; depth < DEPTH && layer.length > 0; depth++) {
    layer = layer.flatMap(shorten).filter((base) => !found.has(base));
    for (const base of layer) found.add(base);
  }
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(word, found);
  return found;
}

function shorten(word: string): string[] {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined && Object.hasOwn(IRREGULAR, word)) return [irregular];
  if (NO_FORMS.has(word)) return [];
  return ENDINGS.flatMap(({ suffix, least, bases }) => {
    const stem = word.slice(0, -suffix.length);
    return word.endsWith(suffix) && stem.length >= least && VOWEL.test(stem) ? bases(stem) : [];
  });
}

/** Are two lower-case words forms of one word? "systematic" and "systematically" are, "plan" and "planet" are not. */
export function areForms(one: string, other: string): boolean {
  if (one === other) return true;
  const bases = basesOf(one);
  for (const base of basesOf(other)) if (bases.has(base)) return true;
  return false;
}
