/** What would end, in numbers: of everybody, and of the person and the app that are shown. */
import type { AdminLists } from '#lib/admin/admin-ports.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPage } from '../admin-page.ts'
import type { Asked } from './asked.ts'

export type Usage = Awaited<ReturnType<AdminLists['usage']>>

/** `null`: there is no such person or app, and nothing to end. */
export type Endings = {
  readonly ofPerson: Usage | null
  readonly ofApp: Usage | null
  readonly ofEverybody: Usage
  /** Of the person in the app, as the list shows it. */
  readonly ofShown: Usage
}

export async function readEndings({ ports, now }: AdminPage, { person, app }: Asked): Promise<Endings> {
  const usage = (of: Pick<Asked, 'person' | 'app'>) =>
    ports.adminLists.usage(
      {
        subject: of.person && subjectIdSchema.parse(of.person.id),
        clientId: of.app && clientIdSchema.parse(of.app.id),
      },
      now,
    )
  const isNarrowed = person !== null || app !== null
  const [ofPerson, ofApp, ofEverybody, ofNarrowed] = await Promise.all([
    person?.isKnown ? usage({ person, app: null }) : null,
    app?.isKnown ? usage({ person: null, app }) : null,
    usage({ person: null, app: null }),
    isNarrowed ? usage({ person, app }) : null,
  ])
  return { ofPerson, ofApp, ofEverybody, ofShown: ofNarrowed ?? ofEverybody }
}
