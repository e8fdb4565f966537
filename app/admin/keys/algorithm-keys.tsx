/** The keys of one algorithm, and the next rotation. */
import { Moment } from '#app/admin/_ui/times.tsx'
import { revocationConsequence } from '#lib/admin/keys/consequence.ts'
import type { KeyView, Rotation } from '#lib/admin/keys/key-view.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Section } from '../_ui/page-parts.tsx'
import { timeAgo } from '../_ui/time-words.ts'
import type { AdminPage } from '../admin-page.ts'
import { KeyDetails } from './key-details.tsx'
import { KeyTimeline } from './key-timeline.tsx'

type AlgorithmKeysProps = {
  readonly page: AdminPage
  readonly algorithm: string
  readonly keys: readonly KeyView[]
  readonly rotation: Rotation | null
  readonly usage: Parameters<typeof revocationConsequence>[0]
}

export function AlgorithmKeys({ page, algorithm, keys, rotation, usage }: AlgorithmKeysProps) {
  const rotate = (
    <ConfirmedForm
      page={page}
      useCase="keys.rotate"
      hidden={{ algorithm }}
      label="Rotate now"
      consequence={`A new ${algorithm} key is published at once and signs in a few minutes, when every app can know it. Tokens that are out stay valid. Nobody is signed out.`}
      reasonAgainst={page.reasonAgainst('keys:rotate')}
      verb={`Rotate ${algorithm}`}
      isHarmless
      isBrief
    />
  )
  return (
    <Section
      title={algorithm}
      id={algorithm}
      description={<RotationText rotation={rotation} now={page.now} />}
      action={rotate}
    >
      <KeyTimeline algorithm={algorithm} keys={keys} now={page.now} />
      {keys.map(key => (
        <KeyDetails key={key.kid} page={page} view={key} consequence={revocationConsequence(usage, key)} />
      ))}
    </Section>
  )
}

function RotationText({ rotation, now }: { readonly rotation: Rotation | null; readonly now: Date }) {
  if (rotation === null) return 'No key yet.'
  const { published_at: publishedAt, rotates_at: at } = rotation
  return (
    <>
      The next key signs {timeAgo(new Date(at), now)}, from <Moment at={at} />.{' '}
      {publishedAt === null ? (
        'It is published already.'
      ) : (
        <>
          It is published on <Moment at={publishedAt} />.
        </>
      )}
    </>
  )
}
