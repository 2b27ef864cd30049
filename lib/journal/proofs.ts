import 'server-only'
import type { Kysely } from 'kysely'
import type { Tables } from '#lib/store/tables.ts'
import {
  consistencyPath,
  inclusionPath,
  type LeafRange,
  type NodePlace,
  peaksAt,
  rootOf,
  subtreesOf,
  type Tree,
} from './tree.ts'

/** Somebody changed the signed log in the store. */
export class AlteredLog extends Error {}

/** Hashes in hexadecimal, in the order of RFC 6962, section 2.1.1. */
export const inclusionProof = (db: Kysely<Tables>, index: number, size: number): Promise<readonly string[]> =>
  rootsOf(db, inclusionPath(index, size))

/** Hashes in hexadecimal, in the order of RFC 6962, section 2.1.2. Empty from zero. */
export const consistencyProof = (db: Kysely<Tables>, from: number, size: number): Promise<readonly string[]> =>
  rootsOf(db, from === 0 ? [] : consistencyPath(from, size))

/** Hexadecimal: of the tree when it had this size. */
export const rootAt = async (db: Kysely<Tables>, size: number): Promise<string> => rootOf(await treeAt(db, size))

export async function treeAt(db: Kysely<Tables>, size: number): Promise<Tree> {
  const places = peaksAt(size)
  return { size, peaks: places.map(await readHashes(db, places)) }
}

async function rootsOf(db: Kysely<Tables>, ranges: readonly LeafRange[]): Promise<readonly string[]> {
  const subtrees = ranges.map(subtreesOf)
  const hashes = await readHashes(db, subtrees.flat())
  return subtrees.map((places, at) => rootOf({ size: sizeOf(ranges[at]), peaks: places.map(hashes) }))
}

const sizeOf = (range: LeafRange | undefined): number => (range === undefined ? 0 : range.end - range.start)

async function readHashes(db: Kysely<Tables>, places: readonly NodePlace[]): Promise<(place: NodePlace) => string> {
  if (places.length === 0) return missing
  const rows = await db
    .selectFrom('log_node')
    .selectAll()
    .where((where) => where.or(places.map(({ level, index }) => where.and({ level, index }))))
    .execute()
  const found = new Map(rows.map(({ level, index, hash }) => [`${level} ${index}`, hash]))
  return (place) => found.get(`${place.level} ${place.index}`) ?? missing()
}

function missing(): never {
  throw new AlteredLog('its hashes are not those signed')
}
