/** Tests the manifests in deploy/kubernetes: their fields, and the rules that no schema contains. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { z } from 'zod'
import { type Environment, readConfig } from '#lib/config/env.ts'
import { server as limits } from '#lib/config/limits.ts'
import { account } from './system-files.mjs'
import { manifestChecker } from './testing/manifest-types.ts'
import { type Kustomization, type Manifest, readKustomization, yamlReader } from './testing/read-manifests.ts'
import { workloadSchema } from './testing/workload.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'deploy/kubernetes')
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const label = { 'app.kubernetes.io/name': 'latchkey' }

describe('deploy/kubernetes', () => {
  const variants: Record<string, Kustomization> = {}
  let missing: string | null = null

  before(async () => {
    const reader = await yamlReader()
    if (typeof reader !== 'function') missing = reader.missing
    else
      for (const name of ['postgresql', 'sqlite', 'example'])
        variants[name] = readKustomization(join(folder, name), reader)
  })

  function variantOf(name: string): Kustomization {
    const found = variants[name]
    assert.ok(found)
    return found
  }

  function workloadOf(name: string) {
    const workloads = variantOf(name).manifests.filter(({ kind }) =>
      /^(?:Deployment|StatefulSet)$/.test(kind),
    )
    const [{ spec }] = z.tuple([workloadSchema]).parse(workloads)
    return { ...spec, pod: spec.template.spec, container: spec.template.spec.containers[0] }
  }

  /** A test that is skipped if YAML cannot be read. */
  function check(title: string, body: (context: TestContext) => void | Promise<void>): void {
    test(title, context => (missing === null ? body(context) : context.skip(missing)))
  }

  check('manifests have only fields that the API of Kubernetes knows', async context => {
    const checker = await manifestChecker()
    if (typeof checker !== 'function') return context.skip(checker.missing)
    const all = [...variantOf('example').manifests, ...variantOf('sqlite').manifests]
    assert.deepEqual(await checker(all), [])
  })

  check('each manifest is named by a kustomization', () => {
    const named = Object.values(variants).flatMap(({ files }) => files)
    assert.deepEqual(globSync(join(folder, '**/*.yaml')).sort(), [...new Set(named)].sort())
  })

  const mistakes: readonly (readonly [mistake: string, change: (text: string) => string, problem: RegExp])[] =
    [
      [
        'a misspelt field',
        text => text.replace('"readOnlyRootFilesystem"', '"readOnlyRootFileSystem"'),
        /'"readOnlyRootFileSystem"' does not exist/,
      ],
      [
        'a field in the wrong place',
        text => text.replace('"replicas":2', '"replicas":2,"image":"a"'),
        /'"image"' does not exist/,
      ],
      [
        'a text in the place of a number',
        text => text.replace('"replicas":2', '"replicas":"2"'),
        /not assignable to type 'number'/,
      ],
      [
        'a missing selector',
        text => text.replace(/"selector":[^}]+\}\},/, ''),
        /Property 'selector' is missing/,
      ],
      [
        'an unknown kind',
        text => text.replace('"Deployment"', '"Deploiment"'),
        /no exported member .*Deploiment/,
      ],
    ]
  for (const [mistake, change, problem] of mistakes)
    check(`the check refuses a manifest with ${mistake}`, async context => {
      const checker = await manifestChecker()
      if (typeof checker !== 'function') return context.skip(checker.missing)
      const deployment = variantOf('postgresql').manifests.find(({ kind }) => kind === 'Deployment')
      const changed: Manifest = JSON.parse(change(JSON.stringify(deployment)))
      assert.match((await checker([changed])).join('\n'), problem)
    })

  for (const name of ['postgresql', 'sqlite']) {
    check(
      `the manifest for ${name} runs the server as the user of the package, without any privilege`,
      () => {
        const { pod, container } = workloadOf(name)
        assert.deepEqual(pod.securityContext, {
          runAsNonRoot: true,
          runAsUser: account.id,
          runAsGroup: account.id,
          fsGroup: account.id,
          fsGroupChangePolicy: 'OnRootMismatch',
          seccompProfile: { type: 'RuntimeDefault' },
        })
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        assert.equal(pod.automountServiceAccountToken, false)
      },
    )

    check(`the manifest for ${name} has the folders, the port and the version of the package`, () => {
      const { pod, container, volumeClaimTemplates } = workloadOf(name)
      const volume = /^VOLUME (\S+)$/m.exec(dockerfile)?.[1]
      const port = /^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]
      const mounts = container.volumeMounts.map(({ mountPath }) => mountPath)
      assert.deepEqual(mounts, ['/run/secrets/latchkey', volume, '/tmp'])
      const volumes = [
        ...pod.volumes.map(each => each.name),
        ...volumeClaimTemplates.map(each => each.metadata.name),
      ]
      assert.deepEqual(volumes.sort(), container.volumeMounts.map(each => each.name).sort())
      assert.deepEqual(container.ports, [{ name: 'http', containerPort: Number(port) }])
      // Without the address of a registry, which belongs to the operator
      assert.equal(container.image, `latchkey:${version}`)
    })

    check(`the manifest for ${name} has only known settings, and secrets as files`, () => {
      const { pod, container } = workloadOf(name)
      const secrets = container.env.filter(each => each.value !== undefined)
      const isPostgresql = name === 'postgresql'
      assert.deepEqual(
        secrets.map(each => [each.name, each.value]),
        [
          ['MASTER_KEY_FILE', '/run/secrets/latchkey/master-key'],
          ...(isPostgresql ? [['DATABASE_URL_FILE', '/run/secrets/latchkey/database-url']] : []),
        ],
      )
      // Only the server's group reads them
      assert.deepEqual(
        pod.volumes.flatMap(({ secret }) => secret?.defaultMode ?? []),
        [0o440],
      )
      const database = isPostgresql ? { DATABASE_URL: 'postgresql://a@b/c' } : {}
      const config = readConfig({
        ...settingsOf(variantOf('example')),
        MASTER_KEY: randomBytes(32).toString('base64'),
        HOST: '0.0.0.0',
        ...database,
      })
      assert.equal(config.demo, false)
      assert.equal(config.trustProxy, true)
      const required = container.env.flatMap(({ valueFrom }) => valueFrom?.configMapKeyRef.key ?? [])
      assert.deepEqual(required, ['ISSUER', 'TRUST_PROXY'])
    })

    check(`the manifest for ${name} turns off the variables of services, which the server refuses`, () => {
      const settings = settingsOf(variantOf('example'))
      const links = { ...settings, LATCHKEY_SERVICE_HOST: '10.96.0.7' }
      assert.throws(() => readConfig(links), /LATCHKEY_SERVICE_HOST is .* there is no such setting/)
      assert.equal(workloadOf(name).pod.enableServiceLinks, false)
    })

    check(
      `SHUT-02: the manifest for ${name} lets the server start for ten minutes, and end in its own time`,
      () => {
        const { pod, container } = workloadOf(name)
        const { startupProbe: startup, livenessProbe: liveness, readinessProbe: readiness } = container
        assert.equal(startup.periodSeconds * startup.failureThreshold, 600)
        // Liveness does not depend on the database: a restart would not mend it
        assert.deepEqual(
          [startup, liveness].map(probe => probe.httpGet),
          Array(2).fill({ path: '/healthz', port: 'http' }),
        )
        assert.deepEqual(readiness.httpGet, { path: '/readyz', port: 'http' })
        const endMs = limits.proxyNoticeMs + limits.drainDeadlineMs
        assert.ok(pod.terminationGracePeriodSeconds * 1000 >= endMs + 10_000)
      },
    )
  }

  check('servers on PostgreSQL are replaced one by one, after the new one is ready', () => {
    const { replicas, strategy, progressDeadlineSeconds } = workloadOf('postgresql')
    assert.equal(replicas, 2)
    assert.deepEqual(strategy, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } })
    assert.ok(Number(progressDeadlineSeconds) > 600, 'a rollout waits for the startup probe')
  })

  check('one server runs on SQLite, with a volume of one machine', () => {
    const { replicas, volumeClaimTemplates } = workloadOf('sqlite')
    assert.equal(replicas, 1)
    assert.deepEqual(
      volumeClaimTemplates.map(({ spec }) => spec.accessModes),
      [['ReadWriteOnce']],
    )
    const kinds = variantOf('sqlite').manifests.map(({ kind }) => kind)
    assert.deepEqual(kinds, ['Namespace', 'Service', 'NetworkPolicy', 'StatefulSet'])
  })

  check('the service, the budget and the policies select the pods of the server', () => {
    for (const name of ['postgresql', 'sqlite']) {
      const { selector, template } = workloadOf(name)
      assert.deepEqual(template.metadata.labels, label)
      assert.deepEqual(selector, { matchLabels: label })
    }
    const selectors = variantOf('example').manifests.flatMap(({ kind, spec }) => {
      const { selector, podSelector } = z.looseObject({}).parse(spec ?? {})
      return kind === 'Deployment' ? [] : [selector ?? podSelector ?? []].flat()
    })
    assert.deepEqual(selectors, [label, ...Array(4).fill({ matchLabels: label })])
  })

  check('only the proxy reaches the server, and the server reaches no credentials of a cloud', () => {
    const policies = variantOf('example').manifests.filter(({ kind }) => kind === 'NetworkPolicy')
    const policySchema = z.object({
      policyTypes: z.array(z.string()),
      ingress: z.array(z.object({ from: z.array(z.unknown()) })).default([]),
      egress: z.array(z.looseObject({ ports: z.array(z.object({ port: z.number() })) })).default([]),
    })
    const [base, database, proxy] = policies.map(({ spec }) => policySchema.parse(spec))
    assert.deepEqual(base?.policyTypes, ['Ingress', 'Egress'])
    assert.deepEqual(base?.ingress, [])
    assert.equal(proxy?.ingress.length, 1)
    const ports = [base, database].flatMap(policy => policy?.egress.flatMap(rule => rule.ports) ?? [])
    assert.deepEqual(
      ports.map(({ port }) => port),
      [53, 53, 443, 465, 587, 5432],
    )
    assert.match(JSON.stringify(base), /"except":\["169\.254\.0\.0\/16"\]/)
  })

  check('the example takes the image from a registry of the operator', () => {
    const { images } = variantOf('example')
    assert.deepEqual(
      images.map(({ name, newTag }) => [name, newTag]),
      [['latchkey', version]],
    )
  })
})

function settingsOf({ settings }: Kustomization): Environment {
  return Object.fromEntries(
    settings.map(line => {
      const [name = '', ...value] = line.split('=')
      return [name, value.join('=')]
    }),
  )
}
