import 'server-only'
import { createHash } from 'node:crypto'

/** RFC 6962, section 2.1, with SHA-256. Hashes are in hexadecimal. */
export interface Tree {
  readonly size: number
  /** The roots of the complete subtrees, the largest first. */
  readonly peaks: readonly string[]
}

export interface TreeNode {
  readonly level: number
  readonly index: number
  readonly hash: string
}

export const EMPTY_TREE: Tree = { size: 0, peaks: [] }

const sha256 = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

const [LEAF, NODE] = [Buffer.of(0), Buffer.of(1)]

export const leafHash = (leaf: string | Buffer): string => sha256(LEAF, leaf)

const nodeHash = (left: string, right: string): string =>
  sha256(NODE, Buffer.from(left, 'hex'), Buffer.from(right, 'hex'))

/** `nodes`: the complete subtrees that the leaves complete, each leaf among them at level 0. */
export function growTree(
  { size, peaks }: Tree,
  leaves: readonly string[],
): { readonly tree: Tree; readonly nodes: readonly TreeNode[] } {
  const [nodes, grown]: [TreeNode[], string[]] = [[], [...peaks]]
  let next = size
  for (const leaf of leaves) {
    let node = { level: 0, index: next, hash: leaf }
    nodes.push(node)
    // An odd index is the right half of a subtree.
    while (node.index % 2 === 1) {
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeHash(grown.pop() ?? '', node.hash) }
      nodes.push(node)
    }
    grown.push(node.hash)
    next += 1
  }
  return { tree: { size: next, peaks: grown }, nodes }
}

export const rootOf = ({ peaks }: Tree): string =>
  peaks.length === 0 ? sha256() : peaks.reduceRight((right, left) => nodeHash(left, right))

/** Leaves from `start` up to, without, `end`. */
export interface LeafRange {
  readonly start: number
  readonly end: number
}

export type NodePlace = Omit<TreeNode, 'hash'>

/** Sizes are safe integers. */
const LEVELS_MAX = 52

/** The complete subtrees of a range of a proof, the largest first. */
export function subtreesOf({ start, end }: LeafRange): readonly NodePlace[] {
  const found: NodePlace[] = []
  let next = start
  for (let level = LEVELS_MAX; level >= 0; level -= 1) {
    const width = 2 ** level
    if (end - next < width) continue
    found.push({ level, index: next / width })
    next += width
  }
  return found
}

/** Where the peaks of a tree of this size are, the largest first. */
export const peaksAt = (size: number): readonly NodePlace[] => subtreesOf({ start: 0, end: size })

/** The subtrees whose roots prove a leaf (section 2.1.1), in the order of the proof. */
export const inclusionPath = (index: number, size: number): readonly LeafRange[] =>
  descend(index, size, ({ start, end }) => end - start <= 1).path

/** The subtrees whose roots prove that a tree grew from one of `from` leaves, at least one (section 2.1.2). */
export function consistencyPath(from: number, size: number): readonly LeafRange[] {
  const { path, last } = descend(from - 1, size, ({ end }) => end <= from)
  // The verifier knows the root of the earlier tree where that is a subtree.
  return last.start === 0 ? path : [last, ...path]
}

/** Towards a leaf. `path`: the subtrees beside the way, the lowest first. */
function descend(index: number, size: number, isLast: (subtree: LeafRange) => boolean) {
  const path: LeafRange[] = []
  let last: LeafRange = { start: 0, end: size }
  while (!isLast(last)) {
    const middle = last.start + halfOf(last.end - last.start)
    const [left, right] = [
      { start: last.start, end: middle },
      { start: middle, end: last.end },
    ]
    path.unshift(index < middle ? right : left)
    last = index < middle ? left : right
  }
  return { path, last }
}

/** The largest power of two below a width of at least two. */
const halfOf = (width: number): number => {
  let half = 1
  while (half * 2 < width) half *= 2
  return half
}
