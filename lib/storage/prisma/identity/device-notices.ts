/** Since when users get mails about new browsers, and their mails. */
import type { DeviceNotices } from '#lib/ports/device-notices.ts'
import type { Store } from '../../store.ts'

export const deviceNoticeStore: Store<DeviceNotices> = {
  create: database => ({
    areDue: async (subject, now) => {
      const row = await database.subjectPreference.findUnique({ where: { subject } })
      const from = row?.deviceMailsFrom ?? null
      if (from !== null) return from <= now
      const begun = { deviceMailsFrom: now }
      await database.subjectPreference.upsert({
        where: { subject },
        create: { subject, ...begun },
        update: begun,
      })
      return false
    },
  }),
}
