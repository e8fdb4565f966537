import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '../fixtures/browser.ts'
import { openScreen, screens } from '../fixtures/screens.ts'

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1200, 360]) {
    test(`axe finds nothing on any page, ${scheme}, ${width} px`, async ({ person, latchkey, app }) => {
      test.setTimeout(90_000)
      await person.setViewportSize({ width, height: 800 })
      await person.emulateMedia({ colorScheme: scheme })
      for (const screen of screens) {
        await openScreen(person, screen, { issuer: latchkey.issuer, app })
        const { violations } = await new AxeBuilder({ page: person }).analyze()
        const found = violations.map(
          each => `${screen.name}: ${each.id} ${each.nodes.map(node => node.target).join(' ')}`,
        )
        expect(found).toEqual([])
        const overflow = await person.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, `${screen.name} scrolls sideways`).toBeLessThanOrEqual(0)
      }
    })
  }
}
