/** Lists the invitations of users. */
import { z } from 'zod'
import type { ListedInvitation } from '#lib/ports/admin-lists.ts'
import { listOf } from '../list/define-list.ts'
import { searchFilter } from '../list/filters.ts'

export const invitationStates = ['open', 'used', 'expired'] as const
type InvitationState = (typeof invitationStates)[number]

type Row = ListedInvitation & { readonly state: InvitationState }

const stateLabels: Readonly<Record<InvitationState, string>> = {
  open: 'Open',
  used: 'Used',
  expired: 'Expired',
}

const { column, time, timeOrNull, flag, define } = listOf<Row>()
const texts = z.array(z.string())

export const invitationList = define({
  name: 'user_invitations.list',
  permission: 'users:read',
  summary: 'Lists invitations of users, newest first, until some time after their end.',
  path: 'user-invitations',
  filter: searchFilter({
    state: {
      label: 'State',
      options: invitationStates.map(state => [state, stateLabels[state]] as const),
      read: value => invitationStates.find(state => state === value) ?? 'open',
    },
  }),
  columns: {
    id: column(z.string(), ({ id }) => id),
    email: column(z.string().nullable(), ({ email }) => email, { label: 'Email' }),
    name: column(z.string().nullable(), ({ claims }) => textOf(claims.name), { label: 'Name' }),
    groups: column(texts, ({ claims }) => textsOf(claims.groups), { label: 'Groups' }),
    role: column(texts, ({ claims }) => textsOf(claims.role), { label: 'Roles' }),
    state: column(z.enum(invitationStates), ({ state }) => state, { label: 'State' }),
    is_mailed: flag(({ isMailed }) => isMailed, ['mail', 'link'], { label: 'Sent as' }),
    locale: column(z.string(), ({ locale }) => locale),
    invited_by: column(z.string().nullable(), ({ createdBy }) => createdBy, { label: 'Invited by' }),
    created_at: time(({ createdAt }) => createdAt, { label: 'Invited' }),
    expires_at: time(({ expiresAt }) => expiresAt, { label: 'Expires' }),
    used_at: timeOrNull(({ usedAt }) => usedAt, { label: 'Used' }),
    sub: column(z.string().nullable(), ({ subject }) => subject, {
      about: 'The user whose account was made with it.',
    }),
  },
  read: async ({ adminLists }, { filter: { state, search }, page, now }) => {
    const { items, next } = await adminLists.userInvitations({ state, search }, page, now)
    return { items: items.map(item => ({ ...item, state: stateOf(item, now) })), next }
  },
})

export const listInvitations = invitationList.useCase

function stateOf({ usedAt, expiresAt }: ListedInvitation, now: Date): InvitationState {
  if (usedAt !== null) return 'used'
  return expiresAt > now ? 'open' : 'expired'
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' ? claim : null
}

function textsOf(claim: unknown): string[] {
  if (typeof claim === 'string') return [claim]
  return Array.isArray(claim) ? claim.filter(item => typeof item === 'string') : []
}
