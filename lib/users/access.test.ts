import { expect, test } from 'vitest'
import { accessByArea, areaWords } from './user-service.ts'

test('every scope of the interface is told, held or not, by area', () => {
  const areas = accessByArea(['core:transactions:read', 'core:cards:create'])
  expect(areas.map(({ area }) => areaWords(area))).toEqual(['Transactions', 'Cards', 'Disputes', 'Merchant terminals'])
  expect(areas.flatMap(({ scopes }) => scopes).filter(({ held }) => held)).toEqual([
    { scope: 'core:transactions:read', held: true },
    { scope: 'core:cards:create', held: true },
  ])
})

test('a scope that the interface does not name stands with its area, or among the others, once', () => {
  const areas = accessByArea(['core:cards:melt', 'core:cards:melt', 'core:vault:open', 'root'])
  expect(areas.find(({ area }) => area === 'cards')?.scopes.at(-1)).toEqual({ scope: 'core:cards:melt', held: true })
  expect(areas.map(({ area }) => areaWords(area)).slice(-2)).toEqual(['Vault', 'Other'])
  expect(areas.flatMap(({ scopes }) => scopes).filter(({ scope }) => scope === 'core:cards:melt')).toHaveLength(1)
})

test('who holds nothing lacks every scope', () => {
  expect(
    accessByArea([])
      .flatMap(({ scopes }) => scopes)
      .some(({ held }) => held),
  ).toBe(false)
})
