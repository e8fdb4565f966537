// RFC 5646 2.1, loosely: letters and digits in groups of one to eight
const tagShape = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/
const mostTags = 10

/**
 * Reads `ui_locales`: the first ten language tags, in order of preference.
 * What is not shaped like a tag is left out, so that no value can be a path or reach a page.
 */
export function parseUiLocales(value: string): readonly string[] {
  return value
    .split(' ')
    .filter(tag => tagShape.test(tag))
    .slice(0, mostTags)
}
