import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_TREE, growTree, leafHash, peaksAt, rootOf } from './tree.ts'

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
