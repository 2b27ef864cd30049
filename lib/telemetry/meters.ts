import 'server-only'
import type { Registry } from 'prom-client'
import { peekPerProcess } from '#lib/config/per-process.ts'

/** How tokens were renewed: by single sign-on, or by the service itself after a password. */
type RenewedBy = 'sso' | 'password'

/** What is counted as it happens. Values of labels are checked against known lists where they are counted. */
export interface Meters {
  request(route: string, method: string, status: string, seconds: number): void
  serviceCall(endpoint: string, status: string, seconds: number): void
  /** A command has come into a state. */
  command(kind: string, state: string): void
  /** The policy has stopped one. */
  denial(kind: string, why: string): void
  tokenRefresh(method: RenewedBy, result: string): void
  stepUp(result: string): void
  /** A password was tried, or not even that. */
  passwordSignIn(result: string): void
  /** Somebody decided about a change of which they may not. */
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

/** Those of this process; where metrics are off, ones that count nothing. */
export const meters = (): Meters => peekPerProcess<Meters>('meters') ?? NONE

/** All metrics of this process; null where they are off. */
export const metricsOfProcess = (): Registry | null => peekPerProcess<Registry>('metrics') ?? null
