import 'server-only'

/** A case whose thread this console has read. Case ids in small letters, as everywhere in these tables. */
interface CaseThreadTable {
  case_id: string
  /** Who paid the disputed transaction, in small letters; null until that was read. */
  payer: string | null
  /** When all of its messages were read last; in seconds since 1970 by the database's clock. 0: never. */
  read_at: number
}

/** A message that a person wrote in a case: who and when, never what. */
interface CaseMessageTable {
  case_id: string
  message_id: string
  /** The user id, in small letters. */
  author: string
  /** What messages are put in order by. */
  order_key: string
}

/** How far somebody has seen a thread. */
interface CaseReaderTable {
  actor: string
  case_id: string
  /** Of the latest message that they had in view. */
  last_key: string
}

/** What the console knows of the threads of cases. */
export interface ThreadTables {
  case_thread: CaseThreadTable
  case_message: CaseMessageTable
  case_reader: CaseReaderTable
}
