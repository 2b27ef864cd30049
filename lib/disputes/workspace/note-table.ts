import 'server-only'
import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Tables, Trx } from '#lib/store/tables.ts'

type CaseNoteRow = Selectable<Tables['case_note']>

/** The database forbids changing or removing a note. */
export async function addNote(trx: Trx, note: Insertable<Tables['case_note']>): Promise<void> {
  await trx
    .insertInto('case_note')
    .values({ ...note, case_id: note.case_id.toLowerCase() })
    .execute()
}

export async function latestNotes(
  db: Kysely<Tables>,
  caseId: string,
  most: number,
): Promise<{ readonly notes: readonly CaseNoteRow[]; readonly earlier: number }> {
  const ofCase = db.selectFrom('case_note').where('case_id', '=', caseId.toLowerCase())
  const [notes, { total }] = await Promise.all([
    ofCase.selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(most).execute(),
    ofCase.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { notes: notes.reverse(), earlier: total - notes.length }
}
