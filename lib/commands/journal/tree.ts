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

/** Sizes are safe integers. */
const LEVELS_MAX = 52

/** Where the peaks of a tree of this size are, the largest first. */
export function peaksAt(size: number): readonly Omit<TreeNode, 'hash'>[] {
  const found: Omit<TreeNode, 'hash'>[] = []
  let before = 0
  for (let level = LEVELS_MAX; level >= 0; level -= 1) {
    const width = 2 ** level
    if (size - before < width) continue
    found.push({ level, index: before / width })
    before += width
  }
  return found
}
