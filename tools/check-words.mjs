/**
 * Finds words that the project does not use, with their replacements, and comments that name no subject;
 * docs/glossary.md has the terms. Whole files are searched, names included. Line breaks count as spaces.
 */

const words = [
  [
    /\b(?:[Ss]ome|[Nn]o|[Ee]very|[Aa]ny)body\b(?!\?)/g,
    'name the user, client or caller; or: no one, everyone',
  ],
  [/\b(?:persons?|people)\b/gi, 'user, users'],
  [/\bwho(?:m|se)?ever\b/gi, 'anyone who, the user who'],
  [/\banew\b/gi, 'again'],
  [/\bany more\b(?! than)/gi, 'no longer'],
  [/\bfor ever\b/gi, 'permanently'],
  [/\bmeanwhile\b/gi, 'since then, in the meantime'],
  [/\bbeside\b/gi, 'next to, alongside, in addition to'],
  [/\bhanded[ -]out\b/gi, 'temporary (password), issued'],
  [/\bof (?:its|their|his|her|our|your) own\b/gi, 'its own …, separate'],
  [/\bof (?:ours|theirs|yours)\b/gi, 'our …, name the owner'],
  [/(?<!\b(?:let|leave) (?:it|them) )\balone\b/gi, 'only'],
  [/\b(?:told|tells?)\b/gi, 'reports, shows, returns; distinguishes'],
  [/\bst(?:ands?|ood)\b(?! for\b)/gi, 'is, appears, is stored, current'],
  [/(?<!--|\.)\bholds?\b(?!: \{)(?! the (?:lease|lock)\b)/gi, 'contains, has'],
  [/(?<!\bthere )\b(?:is|are|was|were) none\b/gi, 'is not a …, there is none'],
  [
    /(?<!\b(?:there|here|where) )\b(?:is|are|was|were) no (?!longer\b|more\b|such\b|need\b|one\b|way\b)/gi,
    'is not a …, there is no …',
  ],
  [/\bworth nothing\b|\bas good as unknown\b/gi, 'invalid; treated as unknown'],
  [/\banother one\b/gi, 'a different …, a new …'],
  [/\bstor(?:y|ies)\b/gi, 'request trace'],
  [/\btries\b(?! to\b)/gi, 'attempts'],
  [/(?<!_)throttl/gi, 'rate limit'],
  [/\bspoilt\b/gi, 'invalid, used'],
  [/(?<!(?:Code|Hybrid)With)proof[-_ ]?keys?\b/gi, 'PKCE, code challenge'],
  [/\b(?:a|an|the|its|their|our|your) return address(?:es)?\b|\bredirect address(?:es)?\b/gi, 'redirect URI'],
  [/[rR]eturnAddress|return[-_]address/g, 'redirect URI, response target'],
  [/\bidentity tokens?\b/gi, 'ID token'],
  [
    /\bdisabled (?:users?|accounts?)\b|\b(?:users?|accounts?|administrators?) (?:is|are|was|were) disabled\b|\bdisabl(?:es?|ing) (?:(?:an?|the|that|this) )?(?:user|account)\b/gi,
    'locked, lock: users are locked, clients disabled',
  ],
  [/\bto the letter\b/gi, 'exactly'],
  [/\bat once\b/gi, 'immediately; at the same time'],
  [/\blets? (?:it|them|him|her) in\b|\blet in\b|\bturn(?:ed|s)? away\b/gi, 'authorize, accept; refuse'],
  [/, too\./gi, 'also'],
  [/\bof what\b/gi, 'name what is meant'],
  // American spelling, as in the RFCs. `cancelled` is the stored name of a reason
  [
    /(?:[bB]ehaviour|[cC]olour|[nN]eighbour|[fF]avour|[hH]onour|\b[cC]atalogue|\b[gG]rey\b|\b[lL]icence|(?<!-)\b[lL]abelled(?![bB]y)|(?<!['_])\b[cC]ancelled(?!['`:]))/g,
    'behavior, color, catalog, gray, canceled …: American spelling',
  ],
  [
    /\b(?!Organisation)[a-z]*(?:organi|recogni|normali|seriali|capitali|initiali|authori|summari|minimi|optimi|customi|synchroni|saniti)s(?:e[ds]?|ing|ation)\b(?!\()/g,
    'organize, recognize …: American spelling',
  ],
]

/** Words that German texts do not use. */
const german = [
  [/\b(?:jemand|niemand)\w*/gi, 'den Handelnden nennen: Sie, die App; „andere“, „keine …“'],
  [/Rücksprungadresse/g, 'Redirect-URI'],
  [/\bBescheid\b/g, 'wenden Sie sich an …'],
  [/\bwoanders\b/g, 'von einer anderen Website'],
  [/Beispielperson/g, 'Demo-Benutzer'],
]

/**
 * Files that may contain the words: this list and its test, the glossary's avoided terms, and texts of other origin.
 */
const exceptions = [
  /^tools\/check-words\.(?:mjs|test\.ts)$/,
  /^docs\/glossary\.md$/,
  /^docs\/latchkey\.schema\.json$/,
  /^LICENSE$/,
]

const checked = /\.(?:tsx?|mjs|md|css|prisma|grit)$|^\.env\.example$/

const patterns = [...words, ...german].map(([{ source, flags }, instead]) => [
  new RegExp(source.replaceAll(' ', ' +'), flags),
  instead,
])

/** The beginning of a comment that names no subject, so that it depends on the code below it. */
const bareOpening =
  /^[ \t]*(?:\{?\/\*\*?(?:\n[ \t]*\*)?|(?<!^[ \t]*\/\/.*\n[ \t]*)\/\/)[ \t]*(Of|As|By|What|The same|It|Its|Also)\b/gm

/** @returns one line for each finding */
export function wordProblems(files, read) {
  return files
    .filter(file => checked.test(file) && !exceptions.some(exception => exception.test(file)))
    .flatMap(file => [...findingsIn(file, read(file)), ...openingsIn(file, read(file))])
    .map(({ file, line, found, instead }) => `${file}:${line}: “${found}”; write: ${instead}`)
}

/**
 * Finds the words in one file. A line break, with the indentation and the comment mark after it, is replaced by as many
 * spaces, so that positions stay the same.
 */
function findingsIn(file, text) {
  const searched = text.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, gap => ' '.repeat(gap.length))
  return patterns.flatMap(([pattern, instead]) =>
    [...searched.matchAll(pattern)].map(({ 0: found, index }) => ({
      file,
      line: text.slice(0, index).split('\n').length,
      found: found.replace(/ +/g, ' '),
      instead,
    })),
  )
}

function openingsIn(file, text) {
  if (!/\.(?:tsx?|mjs|css)$/.test(file)) return []
  return [...text.matchAll(bareOpening)].map(({ 0: opening, 1: found, index }) => ({
    file,
    line: text.slice(0, index + opening.length).split('\n').length,
    found,
    instead: 'begin the comment with a verb or with the thing it is about',
  }))
}
