/** Stores the passkey that the browser has created for a sign-in that requires one. */

import { hostedForm } from '#app/_ui/hosted-route.ts'
import { passkeyNaming } from '#app/account/passkeys/create-passkey.ts'
import { seeOther } from '#lib/http/reply.ts'
import { respondSignIn } from '#lib/http/respond-sign-in.ts'
import { readBack } from '#lib/http/step-cookies.ts'
import { enrollPasskey } from '#lib/identity/enrollment/enroll-passkey.ts'
import { parseHandle } from '#lib/protocol/ids.ts'
import { enrollPasskeyPath, enrollPath } from '#lib/protocol/wire/local-paths.ts'
import { carriedIn, withHandles } from '../../second-factor/carried.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  enrollPasskeyPath,
  async posted => {
    const { form, request, cookies, context, services } = posted
    const carried = carriedIn(form)
    const { browser, sessions: previous, knownBrowser } = cookies
    const { ceremony = '', response = '' } = form
    const proof = { partial: parseHandle('partial', carried.partial), browser }
    const input = { ...proof, previous, knownBrowser, ceremony, response, nameOf: passkeyNaming(posted) }
    const answer = await enrollPasskey(services.pendingPorts(), input, context)
    switch (answer.kind) {
      case 'gone':
        return seeOther(withHandles('/login/return', carried))
      case 'refused':
        return seeOther(withHandles(enrollPath, { ...carried, error: 'passkey' }))
      case 'enrolled': {
        const { outcome } = answer
        const pending = outcome.pending ?? parseHandle('pending', carried.pending)
        const back = readBack(request.headers.get('cookie'), services.config.issuer)
        return respondSignIn(outcome, posted, { pending, username: null, back })
      }
    }
  },
)
