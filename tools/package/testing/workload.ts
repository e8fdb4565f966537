/** The parts of a Deployment or StatefulSet that tests read. */
import { z } from 'zod'

const probeSchema = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  timeoutSeconds: z.number(),
  failureThreshold: z.number(),
})

const podSchema = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.object({
    automountServiceAccountToken: z.boolean(),
    enableServiceLinks: z.boolean(),
    terminationGracePeriodSeconds: z.number(),
    securityContext: z.unknown(),
    containers: z.tuple([
      z.object({
        image: z.string(),
        securityContext: z.unknown(),
        ports: z.tuple([z.object({ name: z.string(), containerPort: z.number() })]),
        env: z.array(
          z.object({
            name: z.string(),
            value: z.string().optional(),
            valueFrom: z.object({ configMapKeyRef: z.object({ key: z.string() }) }).optional(),
          }),
        ),
        startupProbe: probeSchema,
        livenessProbe: probeSchema,
        readinessProbe: probeSchema,
        volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
      }),
    ]),
    volumes: z.array(
      z.looseObject({ name: z.string(), secret: z.object({ defaultMode: z.number() }).optional() }),
    ),
  }),
})

export const workloadSchema = z.looseObject({
  spec: z.looseObject({
    replicas: z.number(),
    progressDeadlineSeconds: z.number().optional(),
    strategy: z.unknown().optional(),
    selector: z.unknown(),
    template: podSchema,
    volumeClaimTemplates: z
      .array(z.object({ metadata: z.object({ name: z.string() }), spec: z.looseObject({}) }))
      .default([]),
  }),
})
