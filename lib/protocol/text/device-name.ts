/**
 * Names the browser and system in a User-Agent header. The order of the patterns matters, because most browsers also name others.
 */

export type Device = { readonly browser: string | null; readonly system: string | null }

type Name = readonly [pattern: RegExp, name: string]

const browsers: readonly Name[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOPT\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]

const systems: readonly Name[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

const longest = 512

export function deviceOf(userAgent: string | null): Device {
  const text = (userAgent ?? '').slice(0, longest)
  return { browser: find(browsers, text), system: find(systems, text) }
}

function find(names: readonly Name[], text: string): string | null {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? null
}
