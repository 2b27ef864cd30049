import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isGrownFrom } from '../../tools/witness.mjs'
import {
  consistencyPath,
  EMPTY_TREE,
  growTree,
  inclusionPath,
  type LeafRange,
  leafHash,
  peaksAt,
  rootOf,
  subtreesOf,
} from './tree.ts'

/** The test leaves of the reference implementation of certificate transparency. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const hashes = LEAVES.map((leaf) => leafHash(Buffer.from(leaf, 'hex')))

test('has the roots of certificate transparency', () => {
  expect(ROOTS.map((_root, size) => rootOf(growTree(EMPTY_TREE, hashes.slice(0, size)).tree))).toEqual(ROOTS)
})

test('grows to the same tree in any batches', () => {
  const many = Array.from({ length: 70 }, (_, at) => leafHash(String(at)))
  const whole = growTree(EMPTY_TREE, many)
  fc.assert(
    fc.property(fc.array(fc.nat(70), { maxLength: 6 }), (cuts) => {
      const at = [0, ...cuts.toSorted((one, other) => one - other), many.length]
      let [tree, nodes] = [EMPTY_TREE, [] as unknown[]]
      for (let part = 1; part < at.length; part += 1) {
        const grown = growTree(tree, many.slice(at[part - 1], at[part]))
        tree = grown.tree
        nodes = [...nodes, ...grown.nodes]
      }
      expect({ tree, nodes }).toEqual(whole)
    }),
  )
})

test('finds its peaks among its nodes', () => {
  const { nodes } = growTree(
    EMPTY_TREE,
    Array.from({ length: 70 }, (_, at) => leafHash(String(at))),
  )
  const stored = new Map(nodes.map(({ level, index, hash }) => [`${level} ${index}`, hash]))
  for (let size = 0; size <= 70; size += 1) {
    const { tree } = growTree(
      EMPTY_TREE,
      nodes.filter(({ level, index }) => level === 0 && index < size).map(({ hash }) => hash),
    )
    expect(peaksAt(size).map(({ level, index }) => stored.get(`${level} ${index}`))).toEqual(tree.peaks)
  }
})

describe('a proof', () => {
  const SIZE = 40
  const many = Array.from({ length: SIZE }, (_, at) => leafHash(String(at)))
  const rootOfRange = ({ start, end }: LeafRange): string => rootOf(growTree(EMPTY_TREE, many.slice(start, end)).tree)
  const roots = Array.from({ length: SIZE + 1 }, (_, size) => rootOfRange({ start: 0, end: size }))
  const inBytes = (hashes: readonly string[]) => hashes.map((hash) => Buffer.from(hash, 'hex'))
  const treeOf = (size: number) => ({ size, root: Buffer.from(roots[size] ?? '', 'hex') })
  const proofOf = (from: number, size: number) => inBytes(consistencyPath(from, size).map(rootOfRange))

  test('of growth passes between any two sizes', () => {
    for (let size = 1; size <= SIZE; size += 1) {
      for (let from = 1; from <= size; from += 1)
        expect(isGrownFrom(treeOf(from), treeOf(size), proofOf(from, size)), `${from} ${size}`).toBe(true)
    }
  })

  test('of growth fails for another tree, size or hash', () => {
    for (let size = 2; size <= SIZE; size += 3) {
      for (let from = 1; from < size; from += 1) {
        const proof = proofOf(from, size)
        const [before, now] = [treeOf(from), treeOf(size)]
        const refused = [
          isGrownFrom({ ...before, root: treeOf(from + 1).root }, now, proof),
          isGrownFrom(before, { ...now, root: before.root }, proof),
          isGrownFrom(now, before, proof),
          isGrownFrom(before, now, proof.slice(1)),
          isGrownFrom(before, now, [...proof, before.root]),
          ...proof.map((_, at) => isGrownFrom(before, now, proof.with(at, Buffer.alloc(32)))),
        ]
        expect(refused, `${from} ${size}`).not.toContain(true)
      }
    }
  })

  test('of a leaf leads to the root', () => {
    for (let size = 1; size <= SIZE; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const root = inclusionPath(index, size).reduce((hash, range) => {
          const [own, other] = [Buffer.from(hash, 'hex'), Buffer.from(rootOfRange(range), 'hex')]
          const pair = range.start > index ? [own, other] : [other, own]
          return createHash('sha256')
            .update(Buffer.concat([Buffer.of(1), ...pair]))
            .digest('hex')
        }, many[index] ?? '')
        expect(root, `${index} ${size}`).toBe(roots[size])
      }
    }
  })

  test('reads complete subtrees alone, as few as possible', () => {
    const million = 1_000_000
    for (const index of [0, 1, 524_287, 524_288, 999_999]) {
      const places = inclusionPath(index, million).flatMap(subtreesOf)
      expect(places.every((place) => (place.index + 1) * 2 ** place.level <= million)).toBe(true)
      expect(places.length).toBeLessThan(40)
    }
  })
})
