/** The page of the signing keys: those that are active or next, and those with which tokens are only verified. */

import { Moment } from '#app/admin/_ui/times.tsx'
import { type KeyView, type Rotation, revocationConsequence } from '#lib/admin/keys/key-view.ts'
import { listKeys, rotateKey } from '#lib/admin/keys/use-cases.ts'
import { signingKeys as limits } from '#lib/config/limits.ts'
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { CopyText } from '../_ui/copy.tsx'
import { AdminShell, Facts, Section } from '../_ui/page-parts.tsx'
import { timeAgo } from '../_ui/time-words.ts'
import { type AdminPage, adminPage, callUseCase } from '../admin-page.tsx'
import { KeyDetails, KeyTimeline } from './key-details.tsx'

export default adminPage('keys:read', '/admin/keys', KeysPage)

async function KeysPage(page: AdminPage) {
  const { keys, rotations } = await callUseCase(page, listKeys, {})
  const usage = await page.ports.adminLists.usage({ subject: null, clientId: null }, page.now)
  return (
    <AdminShell page={page} title="Keys" description={introduction}>
      <Facts
        facts={{
          'Key set': (
            <CopyText id="jwks" name="the key set URL" text={ownUrl(page.issuer, '/.well-known/jwks')} />
          ),
        }}
      />
      {signingAlgorithms.map(algorithm => (
        <AlgorithmKeys
          key={algorithm}
          page={page}
          algorithm={algorithm}
          keys={keys.filter(key => key.algorithm === algorithm && key.state !== 'expired')}
          rotation={rotations.find(rotation => rotation.algorithm === algorithm) ?? null}
          usage={usage}
        />
      ))}
    </AdminShell>
  )
}

const days = (seconds: number) => Math.round(seconds / 86_400)

const introduction = `Tokens are signed with these keys, and clients and APIs verify tokens with their public keys. They rotate automatically every ${days(limits.rotationSeconds)} days; the next one is published ${days(limits.propagationSeconds)} days before it signs.`

type AlgorithmKeysProps = {
  readonly page: AdminPage
  readonly algorithm: string
  readonly keys: readonly KeyView[]
  readonly rotation: Rotation | null
  readonly usage: Parameters<typeof revocationConsequence>[0]
}

function AlgorithmKeys({ page, algorithm, keys, rotation, usage }: AlgorithmKeysProps) {
  const isUsed = rotation !== null
  const rotate = (
    <ConfirmedForm
      page={page}
      useCase={rotateKey}
      hidden={{ algorithm }}
      label={isUsed ? 'Rotate now' : 'Create a key'}
      consequence={
        isUsed
          ? `A new ${algorithm} key is published immediately and signs in a few minutes, once clients have fetched it. Issued tokens stay valid, and users stay signed in.`
          : `An ${algorithm} key is published immediately, so that APIs know it before a client uses the algorithm. If none does within the hour, the key retires again.`
      }
      verb={isUsed ? `Rotate ${algorithm}` : `Create the ${algorithm} key`}
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
      {keys.length > 0 && <KeyTimeline algorithm={algorithm} keys={keys} now={page.now} />}
      {keys.map(key => (
        <KeyDetails key={key.kid} page={page} view={key} consequence={revocationConsequence(usage, key)} />
      ))}
    </Section>
  )
}

function RotationText({ rotation, now }: { readonly rotation: Rotation | null; readonly now: Date }) {
  if (rotation === null) return 'Not in use: no client asks for it. A key is made when one does.'
  const { published_at: publishedAt, rotates_at: at } = rotation
  return (
    <>
      The next key signs {timeAgo(new Date(at), now)}, from <Moment at={at} />.{' '}
      {publishedAt === null ? (
        'It is already published.'
      ) : (
        <>
          It is published on <Moment at={publishedAt} />.
        </>
      )}
    </>
  )
}
