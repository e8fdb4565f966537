/** The ids of docs/requirements.md: each one that is used is listed there, and each `must` has a test or a lint rule. */

const row = /^\| ([A-Z]+-\d\d) \| (must|should) \|/gm
const id = /\b(?:AZ|CD|TK|RT|JW|KEY|VE|CN|AU|MF|SE|FD|LO|WF|FW|AD|CR|LG|CF|DB|DX|FUZZ|LIM|SHUT|UXC)-\d\d\b/g
const page = 'docs/requirements.md'

/** @returns one line for each id that is not listed, is listed twice, is unused, or is required and has no test */
export function requirementProblems(files, read) {
  const rows = [...read(page).matchAll(row)].map(([, name, level]) => ({ name, level }))
  const names = new Set(rows.map(({ name }) => name))
  const sources = files.filter(file => /^(?:lib|app|prisma|e2e)\/.*\.(?:tsx?|mjs|grit)$/.test(file))
  const used = sources.flatMap(file => idsIn(read(file)).map(name => ({ file, name })))
  const tests = sources.filter(file => /\.(?:test|spec|contract)\.ts$|\.grit$|check\.mjs$/.test(file))
  const tested = new Set(tests.flatMap(file => idsIn(withoutComments(read(file)))))
  return [
    ...used
      .filter(({ name }) => !names.has(name))
      .map(({ file, name }) => `${file}: ${name} is not listed in ${page}.`),
    ...rows
      .filter(({ name }, index) => rows.findIndex(other => other.name === name) !== index)
      .map(({ name }) => `${page}: ${name} is listed twice.`),
    ...[...names]
      .filter(name => !used.some(use => use.name === name))
      .map(name => `${page}: nothing uses ${name}; remove its row.`),
    ...rows
      .filter(({ name, level }) => level === 'must' && !tested.has(name))
      .map(({ name }) => `${page}: no test title and no lint rule has ${name}.`),
  ]
}

function idsIn(text) {
  return [...text.matchAll(id)].map(([name]) => name)
}

function withoutComments(source) {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
