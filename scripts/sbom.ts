import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = 'sbom.cdx.json'
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024

interface Bom {
  readonly metadata: { readonly component: object }
  readonly components: readonly unknown[]
}

/** `npm run sbom`: production dependencies with versions, hashes and licences, as CycloneDX. */
function writeBillOfMaterials(): void {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev']
  const options = { encoding: 'utf8', maxBuffer: OUTPUT_MAX_BYTES, shell: process.platform === 'win32' } as const
  const bom = JSON.parse(execFileSync('npm', args, options)) as Bom
  // npm uses the folder's name.
  const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly name: string }
  const { metadata } = bom
  const named = { ...bom, metadata: { ...metadata, component: { ...metadata.component, name } } }
  writeFileSync(FILE, `${JSON.stringify(named, null, 2)}\n`)
  process.stdout.write(`${FILE}: ${bom.components.length} packages\n`)
}

writeBillOfMaterials()
