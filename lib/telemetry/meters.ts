import 'server-only'
import type { Registry } from 'prom-client'
import { peekPerProcess } from '#lib/config/per-process.ts'

type RenewedBy = 'sso' | 'password'

export interface Meters {
  request(route: string, method: string, status: string, seconds: number): void
  serviceCall(endpoint: string, status: string, seconds: number): void
  command(kind: string, state: string): void
  denial(kind: string, why: string): void
  tokenRefresh(method: RenewedBy, result: string): void
  stepUp(result: string): void
  passwordSignIn(result: string): void
  approvalRefused(why: string): void
  spans(result: 'exported' | 'lost', count: number): void
}

const NONE: Meters = {
  request: () => {},
  serviceCall: () => {},
  command: () => {},
  denial: () => {},
  tokenRefresh: () => {},
  stepUp: () => {},
  passwordSignIn: () => {},
  approvalRefused: () => {},
  spans: () => {},
}

export const meters = (): Meters => peekPerProcess<Meters>('meters') ?? NONE

export const metricsOfProcess = (): Registry | null => peekPerProcess<Registry>('metrics') ?? null
