/** The page of the policies: a form, then a review with the consequences of the change before it is saved. */
import { z } from 'zod'
import { userPath } from '#lib/admin/page-paths.ts'
import {
  listSharedAddresses,
  type PoliciesView,
  policyForm,
  previewPolicies,
  readPolicies,
  updatePolicies,
} from '#lib/admin/policies/policies.ts'
import { policiesId } from '#lib/protocol/registration/policies.ts'
import { AddressText } from '../_ui/address-text.tsx'
import { DataTable } from '../_ui/data-table.tsx'
import { Differences } from '../_ui/differences.tsx'
import { TextField } from '../_ui/fields.tsx'
import { AdminForm, fieldState } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import { ManagedByFileNotice } from '../_ui/managed-by-file-notice.tsx'
import { Notice } from '../_ui/notice.tsx'
import { AdminShell, Section } from '../_ui/page-parts.tsx'
import { SaveBar, SubmitRow } from '../_ui/post-form.tsx'
import { type AdminPage, adminPage, callUseCase } from '../admin-page.tsx'
import { SettingField, type SettingFieldProps, SettingGroups } from '../resource/setting-fields.tsx'
import { PolicyTabs } from './policy-tabs.tsx'

const path = '/admin/policies'

export default adminPage('policies:read', path, PoliciesPage)

async function PoliciesPage(page: AdminPage) {
  const policies = await callUseCase(page, readPolicies, {})
  const result = previewPolicies.output.safeParse(page.oneTimeResult?.value)
  const reviewed = result.success ? reviewedSchema.parse(result.data) : null
  const isEdited = reviewed !== null && page.query.edit !== undefined
  return (
    <AdminShell
      page={page}
      title="Policies"
      description="How users get an account, and what is required of them. A change is in force on every node."
    >
      <PolicyTabs current="settings" />
      <ManagedByFileNotice page={page} kind="policies" id={policiesId} />
      {reviewed !== null && !isEdited ? (
        <Review page={page} policies={policies} reviewed={reviewed} />
      ) : (
        <Section title="Settings">
          <PolicyForm page={page} policies={policies} edited={isEdited ? reviewed.policies : null} />
        </Section>
      )}
      <SharedAddresses page={page} />
    </AdminShell>
  )
}

const reviewedSchema = z.object({
  policies: z.record(z.string(), z.unknown()),
  differences: z.array(
    z.object({ field: z.string(), before: z.json().optional(), after: z.json().optional() }),
  ),
  consequences: z.array(z.string()),
})

type FormProps = { readonly page: AdminPage; readonly policies: PoliciesView }

type PolicyFormProps = FormProps & {
  /** The values to go on with after a review; `null`: the stored ones. */
  readonly edited: Readonly<Record<string, unknown>> | null
}

/** The form leads to the review. Input that the review could not save, such as after a conflict, is saved from here. */
function PolicyForm({ page, policies, edited }: PolicyFormProps) {
  const isReviewed = page.rejectedForm?.useCase === updatePolicies.name
  const useCase = isReviewed ? updatePolicies : previewPolicies
  return (
    <AdminForm
      page={page}
      useCase={useCase}
      hidden={{ version: policies.version }}
      back={path}
      isUnsaved={edited !== null}
      labels={policyForm.labels}
      shown={policyForm.textsOf(policies)}
    >
      <SettingGroups
        form={policyForm}
        document={edited ?? policies}
        state={fieldState(page, useCase, policyForm.labels)}
        opened={policyForm.groups.length}
      >
        {field => <PolicyField {...field} />}
      </SettingGroups>
      <SaveBar label={isReviewed ? 'Save changes' : 'Review changes'} />
    </AdminForm>
  )
}

/** The addresses that must be changed before they can be user names, after a form was rejected because of them. */
async function SharedAddresses({ page }: Pick<FormProps, 'page'>) {
  const isAsked = page.rejectedForm?.errors.some(({ path: field }) => field === 'email_as_username') ?? false
  if (!isAsked) return null
  const { items } = await callUseCase(page, listSharedAddresses, {})
  if (items.length === 0) return null
  return (
    <Section
      title="Addresses that name several users"
      description="The verified address of several users, or that of one and the user name of another. The first are listed."
    >
      <DataTable
        caption="Addresses that name several users"
        rows={items}
        keyOf={({ email }) => email}
        columns={[
          { name: 'Address', cell: ({ email }) => <AddressText text={email} /> },
          {
            name: 'Users',
            cell: ({ users }) => (
              <ul className="list flex flex-wrap gap-2">
                {users.map(({ sub, username }) => (
                  <li key={sub}>
                    <Link className="tag" href={userPath(sub)}>
                      {username}
                    </Link>
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </Section>
  )
}

function PolicyField(field: SettingFieldProps) {
  const { setting, stored, state } = field
  if (setting.input.kind !== 'number') return <SettingField {...field} />
  return (
    <TextField {...state.text(setting.field, stored[0])} label={setting.label} help={setting.help} isMono />
  )
}

type ReviewProps = FormProps & { readonly reviewed: z.output<typeof reviewedSchema> }

function Review({ page, policies: { version }, reviewed }: ReviewProps) {
  const { policies, differences, consequences } = reviewed
  if (differences.length === 0)
    return (
      <Notice kind="plain">
        Nothing would change. <Link href={path}>Edit the policies</Link>
      </Notice>
    )
  return (
    <Section title="Review your changes" description="Nothing is saved yet.">
      {consequences.length > 0 && (
        <div className="notice warn">
          <div>
            <p className="strong">What will happen</p>
            <ul>
              {consequences.map(sentence => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
      <Differences
        differences={differences.map(({ field, before, after }) => ({
          field: policyForm.labels[field] ?? field,
          before,
          after,
        }))}
      />
      <AdminForm page={page} useCase={updatePolicies} hidden={{ version }} back={path}>
        <HiddenPolicies policies={policies} />
        <SubmitRow label="Save these changes">
          <button type="submit" className="btn" form="edit">
            Edit again
          </button>
          <Link className="btn" href={path}>
            Discard
          </Link>
        </SubmitRow>
      </AdminForm>
      <AdminForm page={page} useCase={previewPolicies} id="edit" next={`${path}?edit=changes`} back={path}>
        <HiddenPolicies policies={policies} />
      </AdminForm>
    </Section>
  )
}

/** An empty list is sent, too: without its field, it would become the default. */
function HiddenPolicies({ policies }: Pick<ReviewProps['reviewed'], 'policies'>) {
  return Object.entries(policyForm.textsOf(policies)).flatMap(([name, texts]) =>
    (texts.length === 0 ? [''] : texts).map(text => (
      <input key={`${name} ${text}`} type="hidden" name={name} value={text} />
    )),
  )
}
