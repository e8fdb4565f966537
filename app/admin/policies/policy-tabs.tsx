/** The links between the pages of the policies. */
import { Tabs } from '../_ui/page-parts.tsx'

const tabs = [
  ['settings', 'Settings', '/admin/policies'],
  ['history', 'History', '/admin/policies/history'],
] as const

export function PolicyTabs({ current }: { readonly current: (typeof tabs)[number][0] }) {
  return (
    <Tabs
      label="Policies"
      tabs={tabs.map(([tab, name, href]) => ({ name, href, isCurrent: tab === current }))}
    />
  )
}
