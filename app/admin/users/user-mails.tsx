/** The mails that were sent to a user lately. */
import { listUserMails } from '#lib/admin/users/user-mails.ts'
import { AddressText } from '../_ui/address-text.tsx'
import { DataTable } from '../_ui/data-table.tsx'
import { Section } from '../_ui/page-parts.tsx'
import { type AdminPage, callUseCase } from '../admin-page.tsx'
import { deliveryColumns } from '../mail/delivery-columns.tsx'

/** The section is left out if the user has no address. */
export async function UserMails({
  page,
  subject: sub,
}: {
  readonly page: AdminPage
  readonly subject: string
}) {
  const { address, deliveries } = await callUseCase(page, listUserMails, { sub })
  if (address === null) return null
  return (
    <Section
      title="Mails"
      id="mails"
      description={
        <>
          The newest to <AddressText text={address} />, of the last 30 days.
        </>
      }
    >
      {deliveries.length === 0 ? (
        <p className="small muted">No mail was sent to this address.</p>
      ) : (
        <DataTable
          caption="Mails"
          columns={deliveryColumns(page.now)}
          rows={deliveries}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  )
}
