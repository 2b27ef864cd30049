import 'server-only'
import { createHash } from 'node:crypto'
import type { Dossier } from '#lib/commands/evidence.ts'
import { config } from '#lib/config/config.ts'
import { cosignedAt, readCheckpoint } from '#lib/journal/checkpoint.ts'
import type { Html, Part } from '#lib/values/html.ts'
import { formatCount } from '#lib/values/words.ts'
import { answerSections } from './answers.ts'
import { changeSection, changesOf, type Entry, person, textField } from './changes.ts'
import { block, code, type Fact, factList, html, isRecord, timeOf } from './html.ts'

export type EvidenceFiles = ReturnType<typeof evidenceFiles>

interface Exported {
  readonly dossier: Dossier
  readonly confirmed: boolean
}

/** `page`: made of the file, for people. */
export function evidenceFiles(id: string, { dossier, confirmed }: Exported) {
  const file = { name: `evidence-${id}.json`, text: `${JSON.stringify(dossier)}\n` }
  const sha256 = createHash('sha256').update(file.text).digest('hex')
  const page = evidencePage(dossier, { name: file.name, sha256, witness: confirmed ? witnessOf(dossier) : null })
  return { ok: true, file, page: { name: `evidence-${id}.html`, text: page }, confirmed } as const
}

interface Witness {
  readonly name: string
  /** ISO 8601. */
  readonly at: string
}

/** `unknown`: its key is no longer configured. */
function witnessOf({ checkpoint: note }: Dossier): Witness | 'unknown' {
  const [checkpoint, witness] = [readCheckpoint(note), config().witness]
  const seconds = checkpoint && witness ? cosignedAt(note, checkpoint, witness.publicKey) : null
  if (seconds === null || witness === null) return 'unknown'
  return { name: witness.publicKey.name, at: new Date(seconds * 1000).toISOString() }
}

interface AboutFile {
  readonly name: string
  /** Hexadecimal. */
  readonly sha256: string
  /** Null: none confirmed it. */
  readonly witness: Witness | 'unknown' | null
}

/** A whole document without scripts. Everything in it is from the dossier. */
export function evidencePage(dossier: Dossier, about: AboutFile): string {
  const changes = changesOf(dossier.entries)
  const exported = changes.at(-1)?.at(-1)
  const subject = exported === undefined ? null : subjectOf(exported)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Evidence: ${subject ?? about.name}</title>
${styleFor(about.name)}
</head>
<body>
<main>
<h1>Evidence: ${subject ?? (exported && textField([exported], 'target')) ?? about.name}</h1>
${factList(factsOf(dossier, about, exported))}
${howToCheck(about.name)}
${changesPart(changes.slice(0, -1))}
${answerSections(dossier.answers)}
${proofPart(dossier, about, changes)}
</main>
</body>
</html>
`.text
}

/** The title of the change, or the case. */
const subjectOf = ({ fields: { params } }: Entry): string | null =>
  isRecord(params) && typeof params.of === 'string' ? params.of : null

function factsOf(
  { checkpoint, entries }: Dossier,
  { name, sha256, witness }: AboutFile,
  exported: Entry | undefined,
): readonly Fact[] {
  const log = readCheckpoint(checkpoint)
  return [
    ...(exported === undefined
      ? []
      : [
          ['Exported by', person(textField([exported], 'actorName'), exported.actor)] as const,
          ['Exported', timeOf(exported.at)] as const,
        ]),
    ['Log', log === null ? block(checkpoint) : [code(log.origin), `, ${entriesOf(log.size, entries.length)}`]],
    ['Witness', witnessWords(witness)],
    ['File', code(name)],
    ['SHA-256 of the file', code(sha256)],
  ]
}

const entriesOf = (all: number, inFile: number): string =>
  `${formatCount(all)} entries, of which this file has ${formatCount(inFile)}`

function witnessWords(witness: AboutFile['witness']): Part {
  if (witness === null) return 'No witness has confirmed these entries.'
  if (witness === 'unknown') return 'A witness has confirmed these entries. This console no longer has its key.'
  return [code(witness.name), ' confirmed these entries at ', timeOf(witness.at)]
}

const howToCheck = (name: string): Html => html`<div class="notice">
<p><strong>This page alone proves nothing: anyone can write such a page. The file is the proof, and has more than this page.</strong>
Check that the file has the SHA-256 above, and let the verifier of the console read it:</p>
${block(`sha256sum ${name}\nnode tools/verify-dossier.mjs ${name} LOG_PUBLIC_KEY [WITNESS_PUBLIC_KEY]`)}
<p>Take both keys from a person whom you trust, not from the file or this page. The verifier needs no network.</p>
</div>`

const changesPart = (
  changes: ReturnType<typeof changesOf>,
): Html => html`<h2>${changes.length === 1 ? 'Change' : 'Changes'}</h2>
${changes.length === 0 ? html`<p>This file has no changes.</p>` : changes.map((entries) => changeSection(entries))}`

function proofPart(
  { checkpoint, answers }: Dossier,
  { witness }: AboutFile,
  changes: ReturnType<typeof changesOf>,
): Html {
  const origin = readCheckpoint(checkpoint)?.origin ?? ''
  const isErased = changes.some((entries) => entries.some(({ erased }) => erased.size > 0))
  return html`<section><h2>What is proved, and what is not</h2>
<p>If the verifier accepts the file, it proves:</p>
<ul>
<li>The log <bdi>${origin}</bdi> has the entries of this file, as they were written, and is signed with its key.</li>
${changes.length < 2 ? null : WHOLE_AND_SIGNED}
${answers.length === 0 ? null : html`<li>The log has the SHA-256 of each answer of the service, as the console received it.</li>`}
${witness === null ? null : html`<li>With the key of the witness: no entry was altered since the witness confirmed it.</li>`}
</ul>
<p>It does not prove:</p>
<ul>
${witness === null ? html`<li>That this is the only log: without a witness, the holder of its key could have written another one.</li>` : null}
<li>That the answers of the service are true, or that the author of a message wrote it.</li>
<li>That the owner of an account used it.</li>
<li>That nothing happened without a record.</li>
${isErased ? html`<li>What was erased, and that a fingerprint is of it: the log has only hashes.</li>` : null}
</ul></section>`
}

const WHOLE_AND_SIGNED = html`<li>The file has all entries that the log had about these changes at the time of the export.</li>
<li>Approvals and passkeys are for the change as it was prepared: the fingerprint is a hash of its text, what was entered, and what the service answered.</li>`

const styleFor = (name: string): Html => html`<style>
:root { color-scheme: light; }
* { box-sizing: border-box; }
html { background: #fff; color: #000; font: 15px/1.45 system-ui, -apple-system, 'Segoe UI', sans-serif; }
body { margin: 0; }
main { max-width: 54rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .75rem; padding-top: .75rem; border-top: 2px solid #000; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .25rem 0; }
code, pre { font: .875em/1.4 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
pre { white-space: pre-wrap; margin: .5rem 0; padding: .5rem .75rem; border: 1px solid #999; }
dl { margin: .5rem 0; }
dl > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 0 1rem; padding: .2rem 0; border-bottom: 1px solid #ccc; break-inside: avoid; }
dt { color: #333; }
dd { margin: 0; white-space: pre-wrap; }
.notice { margin: 1rem 0; padding: .5rem .9rem; border: 2px solid #000; break-inside: avoid; }
.source { color: #333; font-size: .875rem; }
table { width: 100%; margin: .75rem 0; border-collapse: collapse; table-layout: fixed; font-size: .9rem; }
th, td { padding: .3rem .5rem .3rem 0; border-bottom: 1px solid #999; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #000; }
th:nth-child(1) { width: 17%; }
th:nth-child(2) { width: 8%; }
th:nth-child(3) { width: 17%; }
th:nth-child(4) { width: 23%; }
td p { margin: 0; }
td span { color: #333; }
ol.thread { margin: .75rem 0; padding-left: 2.25rem; }
.thread li { padding: .4rem 0; border-bottom: 1px solid #ccc; }
.said { white-space: pre-wrap; }
h1, h2, h3, h4, .source, thead, dl > div:nth-child(-n+2):not(:last-child), dl > div:nth-last-child(2),
tbody tr:first-child:not(:last-child), tbody tr:nth-last-child(2) { break-after: avoid; }
thead { display: table-header-group; }
tr, .thread li, ul li { break-inside: avoid; }
dl > .long, .thread .long { break-inside: auto; }
.long dt, .long > p:first-child { break-after: avoid; }
p, dd, pre { orphans: 3; widows: 3; }
@media screen and (max-width: 40rem) {
  main { padding: 1rem 1rem 3rem; }
  dl > div { grid-template-columns: minmax(0, 1fr); }
  dt { font-size: .85em; }
  table, tbody, tr, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); }
  tr { padding: .4rem 0; border-bottom: 1px solid #999; }
  td { padding: 0; border: 0; }
  td:empty { display: none; }
  td::before { content: attr(data-label) ': '; color: #333; }
}
@media print {
  html { font-size: 10pt; }
  main { max-width: none; padding: 0; }
}
@page {
  margin: 18mm 16mm 20mm;
  @bottom-left { content: '${name.replace(/[^\w.-]/g, '')}'; font: 8pt monospace; }
  @bottom-right { content: counter(page) ' of ' counter(pages); font: 8pt sans-serif; }
}
</style>`
