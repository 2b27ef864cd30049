import 'server-only'

/** Case ids in lower case, as in all these tables. */
interface CaseThreadTable {
  case_id: string
  /** Lower case; null until read. */
  payer: string | null
  /** Seconds since 1970 by the database's clock; 0: never. */
  read_at: number
}

/** Never contains the text. */
interface CaseMessageTable {
  case_id: string
  message_id: string
  /** User id in lower case. */
  author: string
  order_key: string
}

interface CaseReaderTable {
  actor: string
  case_id: string
  /** The latest message that was visible to the person. */
  last_key: string
}

export interface ThreadTables {
  case_thread: CaseThreadTable
  case_message: CaseMessageTable
  case_reader: CaseReaderTable
}
