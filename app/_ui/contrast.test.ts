import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const styles = new URL('../styles/', import.meta.url)
const sheets = [...readdirSync(styles).map(name => new URL(name, styles))]
const css = sheets.map(sheet => readFileSync(sheet, 'utf8')).join('\n')
/** Color tokens with their values in both themes, such as `--ink: light-dark(#191b20, #ecebe6)`. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
)

/** The contrast that WCAG 2.2 requires: 1.4.3 for text, 1.4.11 for controls. */
const text = 4.5
const control = 3

const pairs: ReadonlyArray<readonly [foreground: string, background: string, least: number]> = [
  ...['paper', 'card', 'sunk'].flatMap(ground =>
    ['ink', 'ink-2', 'ink-3', 'brass'].map(ink => [ink, ground, text] as const),
  ),
  ...['good', 'bad', 'warn', 'brass'].map(tone => [tone, `${tone}-soft`, text] as const),
  ['bad', 'card', text],
  ['on-button', 'button', text],
  ['on-button', 'button-hover', text],
  ['line-strong', 'card', control],
  ['line-strong', 'paper', control],
  ['button', 'card', control],
]

for (const theme of ['light', 'dark'] as const) {
  for (const [foreground, background, least] of pairs) {
    test(`${theme}: ${foreground} on ${background} has at least ${least}:1`, () => {
      const ratio = contrast(color(foreground, theme), color(background, theme))
      assert.ok(ratio >= least, ratio.toFixed(2))
    })
  }
}

test('white letters on every logo tint are readable', () => {
  const tints = [...css.matchAll(/\.logo(?:\[data-tint="\d"\])? \{[^}]*?background: (#[0-9a-f]{6});/g)]
  assert.equal(tints.length, 6)
  for (const [, tint = ''] of tints) assert.ok(contrast('#ffffff', tint) >= text, tint)
})

test('every style sheet except hosted.css is imported', () => {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  const entries = `${read('../globals.css')}${read('../styles/hosted.css')}`
  for (const { pathname } of sheets) {
    const name = pathname.split('/').at(-1)
    if (name !== 'hosted.css') assert.match(entries, new RegExp(`["/]${name}"`))
  }
})

test('UXC-01 what is hidden until script runs is hidden whatever its class', () => {
  assert.match(css, /\[hidden\] \{[^}]*display: none !important;/)
})

test('UXC-20 style sheets use logical properties in place of left, right, width and height', () => {
  const physical =
    /^\s*(?:(?:margin|padding|border)-(?:left|right)|left|right|text-align:\s*(?:left|right)|width|height)\s*:/m
  assert.doesNotMatch(css.replace(/@media \([^)]*\)/g, ''), physical)
})

function color(name: string, theme: 'light' | 'dark'): string {
  const value = tokens.get(name)
  assert.ok(value, `--${name} is missing`)
  return value[theme]
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
