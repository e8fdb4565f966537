/** Checks that docs/metrics.md, the alerts and the dashboard name only metrics that exist. `npm run docs:write` writes the table. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { familyName, metricNames, metricRow, prometheusText } from './catalog.ts'
import { sampleName } from './prometheus-text.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = 'docs/metrics.md'
const rules = 'deploy/prometheus/latchkey.rules.yml'
const dashboard = 'deploy/grafana/latchkey.json'
const [start, end] = ['<!-- metrics -->', '<!-- end of the metrics -->'] as const
const origins = { stable: 'stable', development: 'may change', latchkey: '' } as const

function rowOf(name: (typeof metricNames)[number]): string {
  const { kind, help, labels, perWorker, origin } = metricRow(name)
  const all = [...(perWorker ? ['worker'] : []), ...labels].map(label => `\`${prometheusText(label)}\``)
  return `| \`${sampleName(name)}\` | ${kind} | ${all.join(', ')} | ${help} | ${origins[origin]} |`
}

function withTable(document: string): string {
  const [head = '', rest = ''] = document.split(start)
  const [, tail] = rest.split(end)
  if (tail === undefined) throw new Error(`the page lacks ${start} or ${end}`)
  const rows = ['| name | kind | labels | meaning | |', '|---|---|---|---|---|', ...metricNames.map(rowOf)]
  return `${head}${start}\n\n${rows.join('\n')}\n\n${end}${tail}`
}

test('docs/metrics.md has the table of all metrics', () => {
  const document = withTable(read(page))
  if (process.env.UPDATE_DOCS === '1') writeFileSync(new URL(`../../${page}`, import.meta.url), document)
  assert.equal(read(page), document, 'run npm run docs:write')
})

/** The names in queries, and the labels of each metric. */
const labelsOf = new Map(
  metricNames.flatMap(name => {
    const { kind, labels, perWorker } = metricRow(name)
    const known = [...labels.map(prometheusText), ...(perWorker ? ['worker'] : []), 'job', 'instance']
    const names =
      kind === 'histogram'
        ? ['bucket', 'sum', 'count'].map(part => `${familyName(name)}_${part}`)
        : [sampleName(name)]
    return names.map(each => [each, new Set(kind === 'histogram' ? [...known, 'le'] : known)] as const)
  }),
)

const promtool = '/usr/bin/promtool'

test('promtool accepts the alerts, and its tests pass', { skip: !existsSync(promtool) }, () => {
  const folder = new URL('../../deploy/prometheus', import.meta.url)
  for (const given of [
    ['check', 'rules', 'latchkey.rules.yml'],
    ['test', 'rules', 'latchkey.rules.test.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync(promtool, given, { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
  }
})

/** Returns the expressions of the alerts and of the dashboard. */
function expressions(): readonly string[] {
  const alerts = [...read(rules).matchAll(/^ +expr: >-\n((?: {10,}.+\n)+)/gm)].map(([, text = '']) => text)
  const panels = [...read(dashboard).matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) =>
    String(JSON.parse(text)),
  )
  assert.ok(alerts.length >= 14 && panels.length >= 10, `${alerts.length} ${panels.length}`)
  return [...alerts, ...panels]
}

test('alerts and dashboard use only metrics and labels that exist', () => {
  for (const expression of expressions()) {
    const names = expression.matchAll(/\b((?:latchkey|http|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)
    for (const [, name = '', filter = ''] of names) {
      // `http_…` without a filter can also be a label in `by (…)`
      const labels = labelsOf.get(name)
      const isLabel = [...labelsOf.values()].some(known => known.has(name))
      assert.ok(labels !== undefined || isLabel, `${name} in ${expression}`)
      for (const [, label = ''] of filter.matchAll(/(\w+) *(?:=~|!~|!=|=) *"/g))
        assert.ok(labels?.has(label), `${label} of ${name} in ${expression}`)
    }
  }
})

test('each alert is explained', () => {
  const alerts = [...read(rules).matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const explained = [...read(page).matchAll(/^\| `(Latchkey\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(alerts.toSorted(), explained.toSorted())
})
