import 'server-only'

/** Case ids are lower case. */
interface CaseThreadTable {
  case_id: string
  payer: string | null
  /** By the database's clock; 0: never. */
  read_at: number
}

/** Never contains the message's text. */
interface CaseMessageTable {
  case_id: string
  message_id: string
  author: string
  order_key: string
}

interface CaseReaderTable {
  actor: string
  case_id: string
  last_key: string
}

export interface ThreadTables {
  case_thread: CaseThreadTable
  case_message: CaseMessageTable
  case_reader: CaseReaderTable
}
