import { scopes } from '#lib/contract/scopes.ts'

export interface ScopeOfArea {
  readonly scope: string
  readonly held: boolean
}

export interface AccessArea {
  readonly area: string
  readonly scopes: readonly ScopeOfArea[]
}

const areaOf = (scope: string): string => /^core:([^:]+):[^:]+$/.exec(scope)?.[1] ?? ''

export function accessByArea(held: readonly string[]): readonly AccessArea[] {
  const known: readonly string[] = scopes
  const others = [...new Set(held)].filter((scope) => !known.includes(scope)).sort()
  const areas = Map.groupBy([...known, ...others], areaOf)
  return [...areas].map(([area, listed]) => ({
    area,
    scopes: listed.map((scope) => ({ scope, held: held.includes(scope) })),
  }))
}

export function areaWords(area: string): string {
  if (area === '') return 'Other'
  const words = area.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
