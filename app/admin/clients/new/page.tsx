/**
 * Registers a client in three steps, which are in the address: the application or the kind of client, its first settings, and the
 * setup page of the client. An application whose redirect URIs depend on its address is asked for that first.
 */
import type { ReactNode } from 'react'
import { kindAdvice } from '#lib/admin/clients/client-defaults.ts'
import type { Application } from '#lib/protocol/registration/applications/application.ts'
import { findApplication } from '#lib/protocol/registration/applications/applications.ts'
import { readAddress } from '#lib/protocol/registration/applications/fill-in.ts'
import { clientKinds } from '#lib/protocol/registration/client.ts'
import { AdminShell } from '../../_ui/page-parts.tsx'
import { type AdminPage, adminPage } from '../../admin-page.tsx'
import { AskAddress } from './ask-address.tsx'
import { ChooseClient, newClientPath } from './choose-client.tsx'
import { DescribeApplication } from './describe-application.tsx'
import { DescribeKind } from './describe-kind.tsx'

export default adminPage('clients:create', newClientPath, NewClientPage)

async function NewClientPage(page: AdminPage) {
  const { title, content } = stepOf(page)
  return (
    <AdminShell
      page={page}
      title="New client"
      back={{ name: 'Clients', href: '/admin/clients' }}
      description={title}
    >
      {content}
    </AdminShell>
  )
}

type Step = { readonly title: string; readonly content: ReactNode }

function stepOf(page: AdminPage): Step {
  const { query } = page
  const application = findApplication(query.application)
  if (application !== null) return applicationStep(page, application)
  const kind = clientKinds.find(it => it === query.kind)
  if (kind === undefined)
    return { title: 'Step 1 of 3: application or client type', content: <ChooseClient query={query} /> }
  return {
    title: `Step 2 of 3: ${kindAdvice[kind].title}`,
    content: <DescribeKind page={page} kind={kind} />,
  }
}

function applicationStep(page: AdminPage, application: Application): Step {
  const title = `Step 2 of 3: ${application.name}`
  const { address } = page.query
  if (application.addressExample === null)
    return { title, content: <DescribeApplication {...{ page, application }} app={null} /> }
  const read = address === undefined ? null : readAddress(address, application)
  if (read?.kind === 'ok')
    return { title, content: <DescribeApplication {...{ page, application }} app={read.app} /> }
  return {
    title,
    content: (
      <AskAddress
        application={application}
        example={application.addressExample}
        typed={address ?? ''}
        problem={read?.problem ?? null}
      />
    ),
  }
}
