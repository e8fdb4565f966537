import { AxeBuilder } from '@axe-core/playwright'
import { adminScreens, enterDashboard } from '../fixtures/admin-screens.ts'
import { expect, test } from '../fixtures/browser.ts'

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1200, 320]) {
    test(`axe finds nothing on any page of the dashboard, ${scheme}, ${width} px`, async ({
      person,
      latchkey,
    }) => {
      test.setTimeout(180_000)
      await person.setViewportSize({ width, height: 800 })
      await person.emulateMedia({ colorScheme: scheme })
      await enterDashboard(person, latchkey)
      const found: string[] = []
      for (const path of adminScreens) {
        const answer = await person.goto(latchkey.issuer + path)
        if (answer?.status() !== 200) found.push(`${path}: ${answer?.status()}`)
        const { violations } = await new AxeBuilder({ page: person }).analyze()
        for (const each of violations)
          found.push(`${path}: ${each.id} ${each.nodes.map(node => node.target).join(' ')}`)
        const overflow = await person.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        if (overflow > 0) found.push(`${path} scrolls sideways by ${overflow} px`)
      }
      expect(found).toEqual([])
    })
  }
}
