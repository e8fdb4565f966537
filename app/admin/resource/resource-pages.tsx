/** The pages of clients, scopes, identity providers and users, each made from one description. */
import type { ReactNode } from 'react'
import type { Permission } from '#lib/admin/access/permissions.ts'
import type { AdminPorts, AuditRow } from '#lib/admin/admin-ports.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import { ownersOnly } from '#lib/admin/clients/client-resource.ts'
import { findDeleted, type HistoryKind, readHistory, type Version } from '#lib/admin/configuration/history.ts'
import { changeNames } from '#lib/admin/names.ts'
import { type ResourceArea, resourcePath } from '#lib/admin/page-paths.ts'
import { refusalToTouch } from '#lib/admin/users/user-resource.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import type { FormUseCase } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import { ManagedByFileNotice } from '../_ui/managed-by-file-notice.tsx'
import { AdminShell, EmptyState, StatusTag, Tabs } from '../_ui/page-parts.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { type AdminPage, adminPage, detailPage } from '../admin-page.tsx'
import { History } from './history.tsx'

/** The description of the pages of a resource. `V` is the type of the data that they show. */
export type ResourcePages<V> = {
  readonly area: ResourceArea
  /** The title of the page with the list. */
  readonly title: string
  /** The path and the name of each page of an object. `settings` has the address of the object itself. */
  readonly tabs: readonly (readonly [path: string, name: string])[]
  /** The tabs with a notice if the configuration file or the demo contains the object. */
  readonly editingTabs: readonly string[]
  readonly read: (page: AdminPage, id: string) => Promise<V>
  /** Draws the page of an ID without a stored object; `null`: there is no such page. */
  readonly absent?: (page: AdminPage, id: string) => Promise<ReactNode | null>
  /** AD-03: disables the buttons of a page if only owners may change the object. */
  readonly restrict?: (page: AdminPage, view: V) => Promise<AdminPage>
  readonly head: (view: V, page: AdminPage, tab: string) => ResourceHead
}

type ResourceHead = {
  readonly name: string
  readonly isEnabled: boolean
  /** An element next to the status. */
  readonly aside?: ReactNode
  readonly description: ReactNode
  readonly action?: ReactNode
  readonly hiddenTabs?: readonly string[]
}

/** The input of a page about one object. On `page`, buttons are disabled where only owners may change the object. */
export type Shown<V> = {
  readonly page: AdminPage
  readonly unrestrictedPage: AdminPage
  readonly view: V
  readonly id: string
}

/** Makes a page about one object, below its name and its tabs. */
export function resourcePage<V>(
  pages: ResourcePages<V>,
  tab: string,
  draw: (shown: Shown<V>) => ReactNode | Promise<ReactNode>,
) {
  const { area } = pages
  return detailPage(
    `${area}:read`,
    id => resourcePath(area, id, tab),
    (unrestrictedPage, id) => drawTab(pages, tab, { unrestrictedPage, id }, draw),
  )
}

async function drawTab<V>(
  pages: ResourcePages<V>,
  tab: string,
  { unrestrictedPage, id }: Pick<Shown<V>, 'unrestrictedPage' | 'id'>,
  draw: (shown: Shown<V>) => ReactNode | Promise<ReactNode>,
): Promise<ReactNode> {
  const { area, title, tabs, editingTabs } = pages
  const absent = (await pages.absent?.(unrestrictedPage, id)) ?? null
  if (absent !== null) return absent
  const view = await pages.read(unrestrictedPage, id)
  const page = (await pages.restrict?.(unrestrictedPage, view)) ?? unrestrictedPage
  const { name, isEnabled, aside, description, action, hiddenTabs = [] } = pages.head(view, page, tab)
  return (
    <AdminShell
      page={page}
      title={name}
      back={{ name: title, href: `/admin/${area}` }}
      aside={
        <>
          <StatusTag isEnabled={isEnabled} off={area === 'users' ? 'Locked' : 'Disabled'} />
          {aside}
        </>
      }
      description={description}
      action={action}
    >
      {tabs.length > 1 && (
        <Tabs
          label={name}
          tabs={tabs
            .filter(([path]) => !hiddenTabs.includes(path))
            .map(([path, text]) => ({
              name: text,
              href: resourcePath(area, id, path),
              isCurrent: path === tab,
            }))}
        />
      )}
      {editingTabs.includes(tab) && <ManagedByFileNotice page={page} kind={area} id={id} />}
      {await draw({ page, unrestrictedPage, view, id })}
    </AdminShell>
  )
}

/** The description of a resource whose earlier versions can be restored, even after a deletion. */
export type RestorablePages<V> = ResourcePages<V> & {
  readonly area: 'clients' | 'scopes' | 'providers'
  readonly kind: HistoryKind
  /** The name of the ID in inputs of use cases. */
  readonly idField: string
  /** The title of the page of deleted objects, such as "Deleted clients". */
  readonly deletedTitle: string
  readonly restore: FormUseCase
  /** A sentence about what is restored of a deleted object, and what is not. */
  readonly restoreAdvice: string
  /** Whether the form that restores a deleted object asks for its secret. */
  readonly asksSecret?: (version: Version | null) => boolean
  readonly exists: (ports: AdminPorts, id: string) => Promise<boolean>
  /** The current version in the format of the audit log, with its number. */
  readonly current: (view: V) => { readonly document: Version; readonly version: number }
}

/** Makes the page of an object's changes, to compare and restore versions. */
export function historyPage<V>(pages: RestorablePages<V>) {
  const { area, kind, idField } = pages
  const pathOf = (id: string) => resourcePath(area, id, 'history')
  return detailPage(`${area}:read`, pathOf, async (unrestrictedPage, id) => {
    const entries = await readHistory(unrestrictedPage.ports, { kind, id })
    if (entries.length > 0 && !(await pages.exists(unrestrictedPage.ports, id)))
      return (
        <AdminShell
          page={unrestrictedPage}
          title={id}
          back={{ name: pages.deletedTitle, href: `/admin/${area}/deleted` }}
          aside={<span className="tag bad">Deleted</span>}
          description={pages.restoreAdvice}
        >
          <History
            page={unrestrictedPage}
            entries={entries}
            current={null}
            restore={{ useCase: pages.restore, hidden: { [idField]: id, version: 0 } }}
            asksSecret={pages.asksSecret}
          />
        </AdminShell>
      )
    return drawTab(pages, 'history', { unrestrictedPage, id }, ({ page, view }) => {
      const { document, version } = pages.current(view)
      return (
        <History
          page={page}
          entries={entries}
          current={document}
          restore={{ useCase: pages.restore, hidden: { [idField]: id, version } }}
        />
      )
    })
  })
}

/** Makes the page of deleted objects that do not exist again. */
export function deletedPage<V>(pages: RestorablePages<V>) {
  const { area, kind, title, deletedTitle } = pages
  return adminPage(`${area}:read`, `/admin/${area}/deleted`, async page => {
    const rows = await findDeleted(page.ports, kind, id => pages.exists(page.ports, id))
    const names = await changeNames(page.ports, rows)
    const columns: readonly Column<AuditRow>[] = [
      {
        name: 'Name',
        cell: ({ targetId }) => <Link href={resourcePath(area, targetId, 'history')}>{targetId}</Link>,
      },
      { name: 'Deleted', cell: ({ time }) => <TimeAgo at={time} now={page.now} /> },
      { name: 'By', cell: names.actor },
    ]
    return (
      <AdminShell
        page={page}
        title={deletedTitle}
        back={{ name: title, href: `/admin/${area}` }}
        description="Deleted items. You can restore them; their history is kept."
      >
        {rows.length === 0 ? (
          <EmptyState title="Nothing was deleted">Deleted items can be restored from here.</EmptyState>
        ) : (
          <DataTable
            caption={deletedTitle}
            columns={columns}
            rows={rows}
            keyOf={({ targetId }) => targetId}
          />
        )}
      </AdminShell>
    )
  })
}

/**
 * The page with its buttons disabled if only owners may change the user. Revoking the admin's own sessions and tokens is exempt.
 */
export async function restrictUserToOwners(page: AdminPage, subject: string): Promise<AdminPage> {
  if (page.actor.role === 'owner') return page
  const isOwn = page.actor.subject === subject
  const mayStill = (permission: Permission) => isOwn && permission === 'grants:revoke'
  return refusing(page, await refusalToTouch(page.ports, subjectIdSchema.parse(subject), page), mayStill)
}

type ReadClient = { readonly client_id: string; readonly metadata: JsonValue }

/** The page with its buttons disabled if only owners may change the client. */
export async function restrictClientToOwners(
  page: AdminPage,
  { client_id: id, metadata }: ReadClient,
): Promise<AdminPage> {
  if (page.actor.role === 'owner') return page
  const client = { clientId: clientIdSchema.parse(id), metadata }
  return refusing(page, await ownersOnly(page.ports, client, page), () => false)
}

function refusing(
  page: AdminPage,
  refusal: AdminResult<never> | null,
  mayStill: (permission: Permission) => boolean,
): AdminPage {
  if (refusal?.kind !== 'denied') return page
  const isTouching = (permission: Permission) => !permission.endsWith(':read') && !mayStill(permission)
  return {
    ...page,
    reasonAgainst: permission =>
      page.reasonAgainst(permission) ?? (isTouching(permission) ? refusal.reason : null),
  }
}
